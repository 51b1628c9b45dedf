import { linesWith } from './word-lines.ts';
import { stemOf } from './words.ts';

/**
 * What people say for things and acts of APIs, weaker than synonyms. Left: the most frequent words in paths, names and
 * summaries of 700 public APIs; right: words that find them.
 */
const EVERYDAY = `
user member: people person folk guy colleague coworker teammate mate friend newcomer login he she him her them whom buddy folks
member employee: hire staff newcomer joiner workforce personnel crew colleague worker
employee: hire staff newcomer joiner workforce personnel crew worker boss hired
customer client: guest patron buyer shopper regular consumer purchaser
contact: friend acquaintance phonebook lead recipient person people customer guardian supplier vendor relative client
follower: fan audience reader fans follows
account: login wallet balance membership bank saving
organization: firm company employer business authority school university club association charity nonprofit
profile: bio picture avatar myself
role: right job duty rank function position
permission: right allow access forbid may see view privilege authorize entitle let must he she
access: right enter allow reach let see view open permit may
invitation invite: ask welcome join bring let
session: login logout stay seat meeting device logged signed
password: passphrase pin forgot forgotten credential secret login
credential: password key login secret token fingerprint factor second otp passkey authenticator
token: key credential secret passcode
key: password token credential name ssh
secret: password confidential hidden key
location: shop store branch premises site place spot address where whereabouts venue position coordinate town city nearby office corner
address: where place street live lives mail wallet postcode residence coins receive
place venue: where restaurant bar cafe spot shop hotel location
store: shop market supermarket merchant outlet retailer branch mall pharmacy
merchant: shop seller store business shopkeeper
site: page website homepage web online plant
page: site article website document text visited
office: branch building desk
position: where location coordinate place gps track whereabouts hold own holding shares
trip journey route: ride drive travel drove went way tour go gone journey road
route: way path road direction travel drive
report: statistic overview summary figure kilometer mile how long parked evaluate analysis spam abuse complain result earned profit pdf minutes usage
device: phone tracker sensor machine car vehicle truck van computer laptop hardware gadget equipment thing lamp light appliance elevator fridge instrument pc tablet smartphone
vehicle: car truck van bus fleet bike motorcycle automobile lorry auto train
driver: chauffeur drive drives taxi behind wheel
fleet: vehicle car truck
geofence zone area: region perimeter yard border district
command: order instruct tell instruction remote remotely control engine
maintenance: repair service oil inspection fix overhaul downtime
distance: kilometer mile far near meter away length meters
duration: long minute hour time length
speed: fast slow quick velocity
temperature: hot cold warm degree heat
forecast: tomorrow weather rain sunny prediction
payment: money paid pay cash bill settle spend transaction sale buy got received
payout: money paid bank earn earning transfer withdraw settle settlement
settlement: payout paid bank
refund: money back return reimburse reimbursement compensate reverse
dispute: chargeback complaint claim contest case disagree
charge: bill debit collect payment cost money
balance: money left fund owe owed saldo amount have days
transaction: payment booking purchase buy bought spend spent expense sale money transfer cost movement pay all together atomic moved
transfer: send wire move money remit used bandwidth
invoice: bill receipt owe owed due billed month
bill: invoice cost expense law
receipt: proof invoice bill taxi slip
subscription: plan membership abo monthly yearly recurring renewal abonnement package member
plan: subscription tariff package tier pricing upgrade membership
price: cost expensive cheap worth money rate pay
cost: price expensive spend money pay
fee: cost price commission
tax: vat duty levy
discount: cheap cheaper off reduction voucher promotion coupon
coupon: voucher code discount promo
gift card: voucher
budget: money spend limit plan
expense: spend spent cost money
category: kind type sort group grocery
payee: whom shop merchant recipient supermarket vendor
bank: iban money account
card: credit debit visa mastercard stolen
loyalty: point bonus regular reward
reward: bonus prize gift free point perk redeem
point: score bonus credit
order: purchase buy bought sale sell sold basket request deal tickets delivery
cart: basket bag
checkout: pay buy purchase till
catalog: assortment offer product item range menu shop price goods
product item: thing article goods stuff offer merchandise ware shirt cloth clothes clothing shoes dress sell sells
item: thing product entry piece article record row post
inventory: stock left available quantity count warehouse supply remaining
stock: left available quantity inventory
variant: size color option model colour
shipment: parcel package delivery send ship box post
delivery: parcel package bring arrive shipment courier arrived received
tracking: where parcel follow package
fulfillment: ship shipping pack deliver
return: back refund
supplier: vendor provider
booking: appointment reservation slot visit table room haircut
appointment: booking visit slot meeting date doctor
reservation: booking table room seat hold
availability: free slot open available busy possible time when
calendar: agenda date schedule appointment event holiday
event: happen happening happened concert meeting appointment occasion activity party show festival wedding reunion click log
schedule: plan timetable when calendar later time due next regularly recurring upcoming every regular nightly
reminder: remember alarm forget nudge sign soon
shift: work working duty clock hour rota worker punch roster
timesheet: hour work clock hours worked
time entry: hour work worked tracked timer
wage: salary pay earn earning hour paid income
payroll: salary wage pay
leave absence: vacation holiday sick off away
department: division unit team
job: task work position vacancy run step
candidate: applicant
course: class lesson training lecture lessons
student: pupil learner kid
grade: mark score result
assignment: homework task exercise
ticket: case problem request issue question complaint admission seat visit entry enter support tickets unanswered asked unsolved help
case: ticket problem complaint matter trial court
issue: problem bug ticket trouble wrong broken complaint mess
incident: outage problem emergency trouble down failure leak police wrongdoing
alert: warn warning alarm notify inform problem threat
alarm: alert warn wake emergency problem
notification: alert warn tell inform notify message hear notice push remind
webhook: notify told tell inform callback notification hear url
subscriber: reader follower recipient listener
message: text write say chat sms mail note talk tell letter apology gossip joke posted wrote ping dm
conversation: chat talk thread discussion dialog dialogue
thread: conversation discussion talk topic
channel: room group chat station program tv conversation topic
comment: remark note opinion say said feedback reply write answer think
note: remark comment memo jot write
review: opinion rating feedback critique judge happy satisfied think customers
rating: star score opinion stars rate grade vote
reaction: emoji like thumb heart smile thumbs smiley
like: heart favorite thumb love
favorite: love like star bookmark starred heart
bookmark: remember later save favorite
post: article message publish entry write blog tweet status
story: comment activity history post
status: post state going progress how alive up well okay working
status update: progress how going report tell
article: post story news blog encyclopedia
feed timeline: news new latest friend wall friends
draft: unfinished unsent begun
topic: thread discussion subject theme channel queue
tag: label keyword mark hashtag sticker version release
label: tag mark category sticker print
section: column group part heading lane chapter
board: kanban wall
task: todo job work chore do plate errand assignment step item followup
subtask: step part smaller split checklist
dependency: before wait first blocked blocker need prerequisite require depend library package uses blocks
goal: achieve objective target aim okr reach
project: work campaign effort initiative repository code
template: blueprint pattern model sample boilerplate preset layout design form blank
checklist: todo list step
milestone: goal phase deadline target
sprint: iteration weeks
custom field: column attribute dropdown property
field: column attribute property dropdown answer
enum option: choice dropdown value
option: choice value alternative derivative
attachment: file document upload picture photo
file: document attachment picture photo content data script text
folder: directory sort
document: file paper letter contract text record row entry data item envelope proof
archive: tarball zip file away old hide close collection museum
export: dump download takeout extract save backup data csv spreadsheet excel everything
import: load upload bring migrate csv spreadsheet add scan excel
download: save fetch get copy
upload: put send add video
backup: copy save snapshot safe safety
snapshot: copy state backup image save
restore: back return undo recover former yesterday again previous
revision version: earlier former previous old history change yesterday edition newest release
history: past former changed previous log earlier happened touched remark
audit: who did changed history log action activity happened trail
log: output wrong error crash happened why history print message protocol trace
activity: did happened action history recent call meeting task
change: modified modify differ different edited
statistic: number figure count much usage memory visitor view traffic popular performance
metric: number figure statistic measure performance load numbers
analytic: visitor statistic traffic view number figure visit
usage: consume consumed used much spend many memory cpu space quota
quota limit: allowance maximum much many left allowed cap ceiling
size: big large much space
system: host machine computer platform
server: machine host computer instance backend box world
instance: server machine vm box computer copy
droplet vm: server machine
node: machine server host computer worker
cluster: machine swarm node
container: running process program image
pod: container
image: photo picture template draw paint container icon poster snapshot disk iso
volume disk: storage space drive data
storage: space disk
network: connect talk lan internet
firewall: block port traffic protect allow
load balancer: traffic distribute spread requests two servers
certificate: https ssl tls expire secure encryption cert proof diploma
ssl: https certificate tls secure encryption encrypted
domain: website url name www address
dns record: www point address
zone: domain
hook: notify webhook tell trigger
environment variable env: setting configuration variable
environment: stage staging production setup
deployment deploy: release publish live online rollout version ship launch
release: version publish deploy newest launch premiere
build: compile pipeline run ci
pipeline: build ci run funnel
rollback: back previous undo former yesterday revert version
traffic: visitor request split bandwidth data jam
form: questionnaire contact survey
submission: answer response entry form message reply sent wrote homework hand handed entered
snippet: code script tracking html insert
plugin addon: extension app module add
integration connection: connect link app service
app application: program software integration service
script: code program
function: code lambda script
service: program daemon application server runs
process: program running task top
engine: motor daemon
registry: image hub store
repository: project code repo
branch: version line
commit: change save snapshot
pull: get download fetch newest latest
push: upload publish send
merge: combine unite accept together one join duplicate twice
prune: old unused clean free space leftover
job run execution: failed running process progress task attempt
queue: waiting line next backlog caller hold
worker: process agent driver courier employee staff
workflow: automation process rule flow procedure
trigger: start automatic rule when
rule: condition filter automatic policy
policy: rule allow restrict may allowed
config: setting preference configure behave
setting: preference configure currency language timezone default behave option config
preference: setting choice want like
feature: function switch flag
flag: switch feature toggle report spam bad abuse
health: alive up running working ok okay well sick
ping: alive reachable up running
info: about detail version system
version: installed newest release upgrade older
model: ai version engine gpt
prompt: question instruction
completion: answer complete
question: ask faq query
answer: reply response
search: look mention contain about named called google lookup seek
typeahead: suggest complete name
filter: only search
segment: audience group users
campaign: newsletter mailing advertisement ad advertising sent
newsletter: campaign mailing mail
list: audience playlist collection
audience: subscriber listener segment reader
ad: advertisement advert marketing commercial
recipient: receiver addressee whom
sender: from
email: mail message newsletter
sms: text message phone
call: phone ring talk dial
voicemail: message call
number: phone buy
recording: audio video tape listen listened call recorded movie taped
transcript: text said words spoken
meeting: call conference appointment video sync standup session
participant: attendee who joined guest people showed attended came present attendance
attendee: participant guest who come coming
room: place space meeting sleep lounge studio conference hall chamber
playlist: song mix music list songs videos
track song: music listen hear play
album: record music picture
artist: singer band musician performer
movie: film cinema watch
show episode: series tv watch season
video: film clip movie watch trailer
stream: watch live listen broadcast
library: collection music mine own shelf
media: photo picture video music
player playback: music play pause skip listen
recipe: cook dish meal food dinner
ingredient: food
meal: food dinner lunch breakfast dish eat
menu: dish food eat dishes navigation links
restaurant: eat food dinner hungry
nutrition: calorie healthy
patient: sick person victim
appointment visit: doctor
medication prescription: drug medicine pill pills drugs
allergy: allergic cannot
lab result: test blood
study: examination scan
series: scan numbers over
flight: plane fly
hotel: stay room night sleep inn motel
airport: plane fly
departure: leave next train bus when leaves
arrival: come coming next when
station stop: train bus halt
line: bus tube train
journey: travel trip way
property listing: house flat apartment home
loan: credit borrow mortgage lend borrowed
holding: stock share portfolio own
trade: buy sell
quote: price offer stock estimate bid
currency: money euro dollar exchange foreign
rate: price course exchange percent cheap
wallet: money coin coins
issuer: bank
institution: bank
identity: passport name who address owner
verification verify: check prove confirm
consent: agree agreement allow permission gdpr agreed privacy
signature: sign signed
envelope: document contract sign letter papers
contract: agreement deal code
agreement: contract terms
claim: insurance damage accident
vulnerability: hole hack weakness security danger risk
scan: check examine inspect security look
group: team set together collection bunch circle put department club crowd teams
collection: set group list folder table records database
set: group collection
space workspace: area team place
category folder: group
parent: above under belong upper
child: under below sub offspring
relationship link: connect relation belong
member membership: who belong join
owner: belong whose mine responsible landlord
assignee: responsible who
approval approve: okay agree accept permit allow
availability zone: region
region: country continent where area
country: nation land abroad
language locale: translate tongue
translation: language word
term: word
definition: mean meaning
holiday: free day vacation
season: year part autumn winter summer spring
league: table standings teams tournament
game match: play played score result games
player: athlete footballer team star scored
score result: won win lost
weather: rain sunny temperature cold warm outside
sensor measurement: temperature humidity value
light: lamp bright dark
scene: mood light
thermostat: heat heating warm
reading: value measure
feedback: opinion say think complaint
survey: ask question opinion poll
vote poll: opinion election ballot
badge: award achievement medal
license: allowed seat legal
domain name: website
blocklist blacklist: spam ban forbid
block: ban ignore stop forbid newest
suspend: stop freeze block lock pause ban kick
disable: stop off block lock deactivate freeze
enable: on activate allow start
lock: freeze stop protect nothing door
unlock: open release
hide: away invisible
publish: live online public send out
unpublish: offline hide private
cancel: stop end quit off abort no
terminate: end kill stop
capture: collect take settle authorized
void: cancel annul undo invalid
redeem: use spend cash
accumulate: give earn collect add point
adjust: correct change add subtract
accept: agree yes in admit take on
reject: no refuse decline
assign: give responsible put hand another over allocate
attach: add put
connect: talk join link plug together
join: part enter become
leave: exit part quit vacation holiday sick day
start: run begin launch boot up
resume: continue again
retry: again repeat once
redeliver resend: again repeat
duplicate: copy same again
convert: change turn transform format
generate: make create produce
calculate estimate: much cost compute total
validate: correct valid check right
compare: difference differ better
recommend recommendation: suggest similar like
sync: update newest synchronize
refresh: update newest again renew
reset: forgot back default
rotate: new renew exchange change
revoke: withdraw away invalid stop
follow: hear watch
unfollow remove follower: hear stop
mute: quiet silence hear
resolve close: fix solve repair settle
select: choose pick
predict forecast estimate: guess likely expect
describe: explain
support documentation: help assistance
reorder sort order: arrange rearrange drag
replace exchange: swap
delete remove: trash toss dump ditch scrap
submit: fill hand
upgrade: newer better
downgrade: cheaper smaller
wait poll: until
expire expiration: until valid old
unread: new unseen
nearby nearest: near close around
top popular: best most favorite
count total: many often number
minimum: least lowest cheapest
maximum: most highest biggest
latest: newest last current
reason cause: why
date: when day
name: called surname
default: usual standard normal
trash: deleted bin
inbox: mail unread
activity feed: news
weight: heavy weigh kilos
color: look
summary: short brief
detail: more exactly about
primary main: first
secondary backup: second
public: everybody anyone world
private: nobody secret
anonymous: nameless
manual: hand
temporary: short
archived closed: old past
active current: running open now
pending waiting: open undecided
failed error: wrong broke broken
completed: done ready finished
vulnerability issue: hole weakness danger safe
ignore: accept hide
employment: work job works
employer: work works
recurring: monthly regularly automatically every repeat
throttle rate limit: fast often
wake sleep: standby
reboot: hang hangs stuck frozen respond hung restart power cycle
resize: bigger smaller larger memory grow shrink ram size cpu upgrade
scale: bigger more copies grow
monitoring metric: busy load processor cpu slow
cpu: processor busy
filesystem disk: space full left
memory: ram
timeline feed: home news
trend: talking popular hot fluctuation
suggestion: should idea recommend hint
boost reblog repost retweet share: share forward repeat
context thread: answers replies
initial: letter
evaluate score risk: likely danger probable
screening watchlist: sanction check
remove item: disconnect
preview: look
authentication login: sign password who identity
single sign on sso: login company
realm tenant: organization company environment
client: app application program customer
provider: login social google
scope: permission right allowed
otp mfa factor: code phone second login authenticator
impersonate: act behalf pretend other
logout: out everywhere end session sign
brute force: attack lock locked wrong
post topic: discussion thread question write
reply: answer respond
moderate moderation: abuse bad spam offensive
trust level: rank reputation
silence: mute quiet ban ignore
index: catalog searchable
query: ask question sql select
record: row entry line points
table: sheet list
column: field
row: record line entry
schema: structure shape layout type field
shard partition: piece part split
replica: copy read standby
throughput capacity: speed fast rate
ttl expiration: old expire automatic lifetime
lease: expire temporary rent contract expires
watch: changes listen wait
compact compaction defragment: shrink history old space
leader: chief master boss
cluster member: machine server
consumer: reader listener worker reads listens
publish produce: send message
acknowledge: done confirm seen handled okay
dead letter: failed
namespace: project area tenant owner
ingress: url traffic outside
replica scale: copies more instances
rollout: release version percentage gradual
workload: app
cronjob: nightly regular every
cron: every nightly daily regular schedule
vlan subnet: network lan
interface: port card cable
port: plug socket cable
cable: wire plug
rack: cabinet
prefix: range subnet
switch router: network
ssid: wifi wlan wireless
access point: wifi wlan wireless
vpn: tunnel remote
bandwidth: traffic data speed
latency: slow delay
uptime: available down reachable online up
check: test monitor watch reachable online
monitor: watch observe check surveillance
maintenance window: downtime silence
receiver: recipient whom
error: wrong failure fail failed bug crash crashed broke broken exception
exception: error crash bug
crash: failure bug
trace span: request slow
log stream: output console
dashboard: overview chart screen
widget: chart
chart: graph diagram curve hit top popular plot
data point: value measurement
feed: stream channel sensor value
datum data: value measurement reading record
gateway: hub
thing: device
firmware: version update software
shadow twin: state
relay switch: light power plug
power: on off energy electricity plug
energy: electricity power consumption
charger: charge car battery
battery: charge power empty low
lock door: open close
camera: picture video
flag feature: switch on off rollout
variation: value option version
experiment: test ab
target targeting: who whom rule
audience segment: people
entry content: article page text
asset media: picture photo file video
space site: website
content type: structure model
locale: language
menu navigation: link
redirect: forward address url old
theme: look design color colours skin
layout style: look design
cms collection: list table
product: sell shop offer
sku: article number
line item: position
fulfill: ship send
attribute: property color size
tier price: discount quantity
sales rule: coupon discount promotion
cart quote: basket
guest: anonymous visitor tourist
shipping: delivery send parcel
tracking number: parcel
carrier: dhl ups post delivery fedex
warehouse: stock store
store credit: balance
ledger: booking account
journal: booking entry manual
chart account: ledger
credit note: refund correction returned goods
quote estimate: offer price proposal
purchase order: supplier buy order goods
bank transaction: statement booking
reconcile: match
tax rate: vat percent sales gst
aged receivable: overdue unpaid owe owes debtors
profit loss: earn result earned
balance sheet: worth assets
overpayment: too much paid
prepayment: advance deposit
expense claim: reimbursement trip taxi travel reimburse spent
pay run: salary wage
superannuation pension: retirement
tracking category: department project cost
contact group: customers bundle
encounter: visit stay
observation: measurement blood value result measured pressure
immunization vaccine: shot vaccination jab
medication: drug pill medicine takes
problem condition: disease illness diagnosis
insurance: cover
clinical note: record
lab: blood test
practitioner: doctor nurse
series study instance: scan picture image x ray mri
modality: scanner machine
worklist: plan queue
anonymize: names private
lesson module: course
enrollment: join sign course
quiz exam: test question
school: college university
job posting: vacancy position
application: apply applied candidate
interview: meeting talk
offer: contract price deal cheap
house listing property: home flat
tenant: renter rents
legislation law bill: act
vote: decide election voted chose
representative legislator: politician
committee: group
hearing: meeting
district: area
agency: authority government
match game fixture: play against
standing: table rank ranking
team club: squad
odds: bet
bet order: wager stake
market: bet
quest mission: task
character: hero figure
guild alliance corporation: clan group
weapon item: gear
ship: fly
universe system: star planet
leaderboard: best rank ranking top
achievement: trophy badge
save: progress state
book: novel read title comic
author: writer who wrote
isbn: book
hold: reserve
exhibition: show museum
opening hour: open when closed
special event: tour
episode: part next
genre: kind style rock jazz comedy drama
lyric: text words
cast: actor plays
subtitle caption: text language
remote control session: play pause device tv
scan refresh: new update library
transcode: convert quality
thumbnail: picture preview
broadcast: live stream show
view: watched seen
watch history: seen watched
watchlist: later list want follow interesting
user: viewer inhabitant somebody someone newbie subscriber patron human
showtime: cinema
keyword: word phrase
creative: banner picture
conversion: sale bought
click: visit often clicked pressed
bounce: undelivered failed returned
unsubscribe suppression: optout stop spam
open: read seen
domain authentication dkim: spam verify
contact list: recipient audience
automation journey: automatic
send: mail blast
lead: prospect interested customer stranger
deal opportunity: sale contract pipeline
company: firm customer
pipeline stage: step phase
macro: canned standard
satisfaction: happy stars rating unhappy thumbs
sla: late deadline
agent: support helper specialist
canned response: standard answer
caller id: number
fax: paper
conference: call group together
sms message: text
short code: number
verification code: otp pin
lookup: carrier number
webinar: lecture online presentation seminar class
registrant: signed registered joined enrolled coming wants
panelist: speaker
poll: question vote choices survey
breakout: group room
waiting room: in admit
host: leads organizer
chat: write talk
whiteboard: draw
room device: meeting
recipient signer: who sign whom
tab field: place sign
power form: link
brand: logo color
embedding: vector similar meaning
fine tune: train own
audio: speech voice
assistant: bot helper secretary aide delegate pa
run: answer
vector store: knowledge
moderation: harmful safe
voice: sound speak speaker
speech: read aloud speak
translate: language english german
sentiment: mood positive negative opinion
entity: name person place
classify: sort category kind
summarize: short shorten brief
extract: find read out
detect: find recognize
face: person who
ocr: read text scan
split: apart part
compress: zip smaller
watermark: mark
screenshot: picture page
pdf: document print
barcode qr: code scan
url shorten: short link
link: url address
geocode: coordinate address coordinates
reverse geocode: address coordinate where
route direction: way drive
matrix: distance
isochrone: reach reachable minute minutes
elevation: high height
timezone: hour time
tile: map
poi: near nearby around restaurant
stop: bus station
line status: disruption delay problem works
disruption: delay problem closed
timetable: when schedule
fare: cost price ticket
bike point: bicycle
air quality: pollution clean
road: street jam
accident: crash
parking: park car
fuel: gas petrol
toll: road pay
ride: taxi car trip
eta: long when arrive
tip: extra
estimate: cost much
airline: fly plane
seat map: sit place
checkin: board
baggage: bag suitcase
destination: fly go where
inspiration: go where idea
coin token: crypto
blockchain: chain
gas: fee
stock symbol ticker: share company
candle ohlc: price chart history
dividend: paid share
exchange: market route
portfolio: own invest investment investments
mortgage: house
statement: month bank
beneficiary payee: whom recipient
direct debit mandate: collect automatic
standing order: regular monthly
pin: code keep important
limit: much spend
link token: connect bank
income: earn salary
asset: own worth possession
liability: owe debt loan
holding investment: own stock share
processor: partner
vault: safe secret
mount engine: backend
seal: lock
unseal: open unlock
package: library module
finding: problem issue
remediation fix: repair solve
target: site server
test: check try quiz
artifact: output file result
pipeline workflow: ci
approval: okay
variable: setting secret
runner: machine ci
merge request: pull change
diff: change different
blob file: content
wiki: page documentation
fork: copy own
star: like
member: access who
deploy key: access
todo: task
system hook: event
country international region locale: foreign overseas
incident event claim: accident
contact user report: accountant bookkeeper
condition diagnosis symptom: ache sickness
age user person: adult grownup
recommendation suggestion: advice tip tips hint
time schedule date: afternoon morning evening noon
calendar event schedule: diary planner
flight vehicle: aircraft jet airplane
collection playlist gallery: album
similar related: alike lookalike resembling
option variant similar related: alternatives substitute
facility provider location: hospital clinic
parent ancestor: grandparent
date event: anniversary birthday
notice message post notification: announcement bulletin
schedule order layout booking: arrangement
image asset object: artwork drawing painting
sentiment status: attitude feeling
bid sale listing: auction
user member contact profile person patient dependent relationship: mother father brother sister son daughter wife husband kids child children family
creator user owner: author
patient user child: baby
baggage item: luggage
store merchant vendor: baker butcher grocer
discount deal offer promotion: bargain
geofence zone limit: barrier fence boundary
room location building level: basement attic floor storey
bulk batch group: handful dozen
product item menu beverage: beer wine drink drinks
user level: beginner novice
trash deleted collection: garbage
profile bio person applicant: biography cv resume
pet animal species: bird cat dog animals pets
date record person: birth death
outage incident: blackout
template design: drawing
vessel vehicle ship: boat
message content text: body
store book: bookshop
manager owner approver admin: supervisor
product item container: bottle jar can
area region geometry: boundary
package container parcel: boxes carton crate
contact friend user: boyfriend girlfriend
incident vulnerability revoke rotate security: breach leak leaked hacked stolen
document file resource page: brochure flyer leaflet handbook guide
plan limit: budget
vendor service worker contact: builder contractor plumber electrician handyman
light device: bulb
route line trip station vehicle transit: coach tram subway underground metro
company organization merchant: businesses
device video camera: webcam
city location: village places
card payment method: cards
job position: career
shipment consignment order: cargo freight
product item desk booking seat: furniture
catalog product: catalogue brochure
reason analysis: cause
person: celebrity
tournament league competition: championship cup
prediction odds forecast: chance probability likelihood
donation organization fund: charity
recipe meal: cooking
pharmacy medication: chemist
showtime venue movie: theatre
person population statistic: citizen resident inhabitant
term section contract: clause
agent employee: clerk
member participant: collaborator
group team organization: committee council
trip route: commute
compare diff: comparison
folder location bin: compartment
competitor company: competition
ticket issue case feedback report dispute: gripe
feedback review recognition: compliment praise
event show: gig
vendor worker user: contractor freelancer
recipe collection: cookbook
message email: correspondence letters
carrier driver delivery: postman
case opinion docket: court trial lawsuit
user member teammate employee: workmate
vendor: craftsman
location collection inventory: cupboard
tariff declaration duty: customs
document applicant: cv resume
availability date: dates
sun time: daylight sunset sunrise
partner merchant vendor: dealer reseller
invoice balance liability loan: debts debtor
approval decision result: verdict
delay status disruption: delayed
warehouse location: depot
user role contributor member: designer developer programmer engineer
location place address: destination
developer environment: dev
meal nutrition plan: diet
document file page: doc docs papers
practitioner provider appointment: physician surgeon dentist
currency amount: pound yen
merge duplicate: duplicates twice double
revenue sale income report payout: earnings turnover
technician: electrician
access door: entrance
asset device equipment item: tools
property: estate housing
document attachment: evidence
exhibition object: exhibit
user agent contact: expert specialist
expiration: expiry
description detail: explanation reason
site facility location: factory plant
fraud risk report: fake scam
follower subscriber: fans admirer
price ticket: fare
statistic metric report: figures numbers stats
name title: filename headline caption
alert event hazard weather: fire
patch resolution solution: fixes
type variant: flavour flavor taste
trip: flight itinerary
map layout: floorplan
video recording clip: footage
match game team sport: football soccer basketball tennis
prediction: forecast
place area: forest
recipe calculation: formula
owner creator: founder
percentage: fraction
promotion: freebie
contact follower: pal
product ingredient: fruit vegetable
balance account: funds savings
availability slot: gap slots opening
event meeting: gathering
gift order: present
term definition: glossary dictionary
item list product order: groceries
security: guard protected
activity exercise workout session: gym
threat attack: hacker
room venue: hall
text: handwriting poem sentence slogan
employee count: headcount
company address office location: headquarters hq
activity route: hike walk
candidate employee hire: hires recruit recruits
host name: hostname
priority: hurry urgent urgency important
suggestion feature proposal idea: ideas
patient absence: ill
scan threat alert: infection virus malware
analytics report statistic: insight insights
command prompt guide: instructions
insurance payer: insurer
employee user: intern trainee apprentice
disruption incident: interruption
patent: invention
contact shareholder: investor
contact author user: journalist reporter
spam: junk
place: landmark mountain
legislation regulation: law
contact user: lawyer attorney
ranking score: leaderboard scoreboard
instructor user: lecturer teacher tutor professor
branding brand image: letterhead
list program: lineup
publication: literature printed
loss report: losses
server instance device host: machines
article publication news: magazine newspaper press
inbox email account: mailbox
friend member user: mates
representative official person: mayor minister president senator
track: tune songs moved follow
error issue correction fix: mistake mistakes errors typo
phone device: mobile
admin role: moderator
city region: municipality
area location near: neighbour neighbor neighbourhood neighborhood
alias name username: nickname
stay date: nights
violation: offence breach
team player: opponent
result: outcome outcomes results
guest external visitor: outsider outsiders visitors
hour timesheet: overtime
page document: pages
symptom: pain
block section: paragraph
guardian parent contact: parents
component item part segment: parts pieces
contact partner user: partners
traveler guest passenger: passengers
identity document: id
payroll pay salary payslip: paycheck payday wages
customer contact: payer
fee penalty violation: fine fines
date range: period
image picture media photo avatar: photos photograph photographs selfie
instrument: piano
image photo: pictures
location venue: places spots
sandbox: playground
rank statistic: popularity
image avatar: portrait
shipping rate label: postage
host speaker: presenter
cost rate fee: prices
document label: printout
permission role: privileges
profit revenue report: profits
developer: programmer
lead contact: prospects
ping health: heartbeat
order transaction payment: purchases
station channel: radio
subscriber user: readers
cause detail: reason reasons
refund discount: rebate
receipt invoice transaction: receipts
contact relationship: relative relatives
maintenance fix service: repairs
replace: replacement
ticket request: requests
recovery: rescue
study search: research
response participant: respondent respondents
remaining balance: remainder
place water: lake
bot automation agent: robot
policy rule: rules
remove: sack
agent user owner: salesman salesperson
display dashboard device: screens
license seat: seats
from: sender
gender: sex male female
file table export import csv: excel
work: shift
stock inventory: shortage
series event: shows
absence: sickness
skill competency: skills
presentation page: slide slides
resolution: solution
partner: sponsor reseller ally affiliate
venue: arena hall
public anonymous user: stranger strangers
station: subway
recommendation: suggestion might
condition: symptom ill
ride trip: cab uber
item object device: things
passenger: traveller traveler
procedure: treatment
hierarchy structure: tree
demo: trial
team: troop
guide documentation: tutorial
change news version: updates
type: variety
statistic view: views
city: village
session appointment traffic: visits
user shift: volunteer volunteers
page url: webpage
date schedule: weekend
measurement: weight
result award: winner winners
wishlist request: wish wishes
metadata: details describe information tags
association: connected belongs linked related
registration: signup enrolled
invitation: invited asked invite
setup: install prepare
aggregate: combined overall
manager: supervisor boss lead head chief
platform: os
annotation: highlight
alias: nickname also
manifest: contents parts parcels today
enterprise: corporate
provisioning: accounts
watcher: follows watches notified
migration: moved
facility: hospital
discussion: forum
overview: glance
restriction: forbidden cannot
impersonation: another
background: behind
payload: body
controller: driver
rental: lease
coverage: insured covered
termination: fired
interaction: touched
capability: can able
retention: keep
training: learn teach
proxy: behind
replication: mirror sync
hierarchy: tree reports
timer: stopwatch countdown
privilege: rights
presence: here
marketplace: apps
publisher: published newspaper
industry: sector
cancellation: cancelled
skill: knows able good
warning: careful
chapter: section
taxonomy: tree kinds
savings: saved
community: forum
assessment: exam
decision: decided ruling
radius: within
sequence: steps dna
mention: tagged talked
donation: gave charity
synchronization: sync
manufacturer: maker made brand
friend: pal know
compliance: rules law
bid: auction
tenancy: lease
benefit: gain pension
competition: tournament
challenge: dare
lifecycle: retire
eligibility: qualify
reputation: trust standing
severity: serious critical
referral: recommended brought
recognition: detect
occurrence: times each
emergency: urgent
compound: chemical
occupancy: rooms
tournament: cup championship
gift: present
attendance: present here missing
workout: gym
sleep: slept
grant: funding rights see
inspection: checked
ticket conversation: complained asks asking
requester: asked
escalate: higher urgent
assign reassign: pass over someone
company account: organisation
subtask checklist: steps parts
backlog: started
typing: writes
attendee guest: invited
recurrence: weekly
invitee: booked
candidate application: applicants
job requisition: opening
salary compensation: raise
collection category: kinds
dunning: reminder
freeze block: stolen
order trade: shares
passenger traveler: flies
courier: brings
workout activity: ran
calorie: ate burned
immunization: vaccinated
diagnostic: results
share repost: pass
mute block: annoying
source: newspaper
match: game
score: points
reverse: coordinates
geofence: entered
odometer: kilometers miles
meter: water
downtime silence: maintenance
responder: helps
override: shift tonight
resolve: fixed over
configmap: settings
drain cordon: maintenance
distribution: cdn
invalidation: cache clear purge
purge: cache clear fresh
renew: longer keep
nameserver: dns
visitor: came
referrer: came
funnel: steps
impression: shown
survey form: questions
response: filled
filing: submitted papers
party: sued
docket: papers
dataset: numbers
indicator: numbers
object: exhibit
gene: dna
protein: molecule
sample: specimen
crop: plants
user member account: she he her him his
agent operator: rep representative helpdesk clerk
administrator admin role: boss superuser
delegate: deputy behalf stand substitute secretary
contact customer vendor: supplier debtor creditor payer
group team: squad crew circle party folks
group member: joined belongs inside
role group: administrator admin rights
permission grant: rights entitled privilege
session login: logged signed
login logins: signed logged came
attempt: tried guess
two factor mfa tfa otp credential: second authenticator
identity provider: google facebook saml social sso
federated social: google facebook twitter linked
directory ldap: active ad
security question: maiden pet
access key: credential token bucket
api key: token access
client secret: key
brute force attack detection: locked unlock tries
audit log event: touched changed
meeting webinar: conference seminar session
participant attendee: showed came present attendance
poll result: answered answers
livestream live stream: youtube facebook twitch broadcast air
assistant scheduler: secretary arrange behalf
telephone phone: rang ring landline mobile minutes
call log: rang phoned dialed
channel member: chat
status presence: busy offline
picture avatar: face
instance server linode droplet: box host vps node
shutdown: down power turn
boot: start on power
rebuild: fresh clean scratch reinstall reformat start over
reinstall: fresh clean scratch
rescue: recovery broken boot
migrate: move another region host
clone: another same
backup restore: yesterday earlier
type flavor size: sizes kinds memory
region location: city cities country countries datacenter centre center continent
datacenter: centre center city building
transfer traffic: bandwidth used
firewall rule: block port deny outside incoming inbound ssh
firewall security group: block outside incoming internet
volume: disk extra
pool node pool: workers nodes machines more
pool: workers shared
bucket object: files storage
ip address: unused
domain record: subdomain dns mx
zone file: dns
payment method: credit card paypal visa debit
credit card: visa mastercard
support ticket: help
invoice payment: settled
report profit loss: win year
aged payable: suppliers debts
bank summary: balance
repeating recurring: month same monthly regularly
bank transfer: move between accounts
history note: remark changed comment
trial balance: books
allocation: apply assign credit
worker driver courier: drivers staff
task order job: delivery errand trip
transit: set sets leave underway
fail: nobody home unsuccessful
complete: done finished delivered
route optimization optimize: best order shortest fastest stops
track tracking: follow whereabouts
tracker: follow
on duty duty: working shift
working state: shift driving
contact address: customer
credit: remaining
lookup hlr: real valid exists
validation validate: real valid exists true correct
blacklist suppression: never nobody longer
suppression: longer unwanted
subaccount: client separate
shortlink: shorter
payslip payroll: wage
leave request: holiday
vacancy: job hiring
applicant candidate: applied interview
onboarding: newcomer first
`;

/** Stems that APIs may use for an everyday word. */
export const everydayMeanings = (stem: string): readonly string[] => {
  const words = linesWith(EVERYDAY, stem).flatMap(({ isLeft, left }) => (isLeft ? [] : left));
  const meant = new Set(words.map(stemOf));
  meant.delete(stem);
  return [...meant];
};
