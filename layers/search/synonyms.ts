import { linesWith } from './word-lines.ts';
import { stemOf } from './words.ts';

/** Lines of words that people and APIs use for one thing: each finds all others of its line. */
const GROUPS = `
bug issue ticket defect problem incident
repo repository
picture image photo illustration drawing
avatar photo picture icon
song track music tune
podcast show
movie video clip film
file document attachment upload asset blob
folder directory
person people user member persona account human contact
colleague coworker user member collaborator participant person
employee staff user member person
team group squad
organization organisation org company business tenant institution university firm
guild server
money fund balance payment cash amount
client customer buyer shopper
subscriber subscription customer
invoice bill
chargeback dispute
promo promotion coupon discount voucher
price cost fee rate amount charge
bank account payout
setting config configuration preference prefs option parameter
flag feature toggle switch
table collection
record row entry item rrset
domain zone
log history audit event activity journal
version revision release
comment note remark reply annotation
message post text mail chat
email mail
channel conversation room
answer reply response
column list lane
task card todo ticket job item
deadline due
appointment meeting event booking reservation
agenda event calendar schedule
speaker device player
queue line backlog
administrator moderator admin
agent worker operator
status state condition phase presence activity
online presence available status
busy status activity availability
permission access right acl role grant privilege
admin administrator owner
key token secret credential
password secret credential
tag label topic category keyword
subject category topic area
link url address uri permalink
webhook hook callback listener
url endpoint webhook hook
notification alert notify message
statistic stat metric usage report analytic figure number
total sum cumulative aggregate summary
perform performance statistic metric
health status ping alive liveness
backup snapshot dump
environment env stage
disk storage volume drive space
process top pid
machine host node instance vm computer
execution run job build pipeline
alarm alert
silence mute quiet snooze
place location venue site
store shop
order purchase
goods product merchandise
cart basket
shipment shipping delivery parcel
similar related alike
popular top best favorite trending
recommendation suggestion suggest recommend
recent latest last newest
recent history recently
private permission visibility hidden secret confidential
public publish published
paper article publication
dataset article data
author writer creator
language locale translation
timezone zone
country region market
license licence
colour color
spend cost spending expense usage
limit quota cap threshold
holiday vacation leave absence
doctor practitioner physician
flight trip journey
weather forecast temperature
book title
dish meal recipe
employer company
certificate cert tls ssl
firewall rule policy
rule policy filter workflow
dashboard chart graph
plugin extension addon module integration
template blueprint preset
draft unpublished pending
pending waiting queued open request
waiting pending queue
overdue due late unpaid open
container pod workload instance
image picture
cpu memory load usage
group team
dm direct im conversation
recording audio voice
voice audio speech spoken sound
speech talk spoken
transcript transcription
passage chunk text
picture draw
call phone telephone
training tuning
conversation thread chat
reviewer review approval curation
bucket storage
schema type model structure
field column attribute property
primary default
archive zip tarball tar
source code repository
login signin session authentication
logged login session
identity profile account me
profile me
bio profile description
title name
nickname nick name
birthday birth date
phrase keyword
expiry expiration ttl
percent percentage
vote poll
contest competition
location address
wage salary pay
category genre tag
feedback comment review remark opinion
paragraph block section text
text content body markdown
portal hub site space
space workspace area
placeholder variable tag field
column property field
table database collection list
job task operation work batch
node member
node host server machine
member collaborator collaboration
access permission collaboration member share
firewall acl rule security
warning error alert problem failure
error failure fault exception
failed failure error
console terminal output
shell terminal console exec command
command exec run shell
runtime kernel interpreter engine
computation calculation process kernel
snippet gist paste code
code source src snippet
content file src
history commit change log version
change commit revision diff edit
build pipeline ci
outage incident downtime
uptime availability health
guest external visitor outside
contract agreement document
render export image
png image picture
jpg image picture
pdf document export file
frame layer node
emoji reaction
ready status state complete
lease address ip dhcp
bridge network
port forward mapping
subnet network range
vm instance machine
hardware resource device
memory resource usage
vulnerability finding cve weakness
attack intrusion threat
sensor device measurement reading
measurement reading observation telemetry value
lamp light bulb
patient subject person
prescription medication drug
visit encounter appointment
course class lesson training
student learner pupil
grade score mark
transaction payment
statement report summary
payee beneficiary recipient
recipient receiver addressee
sms text message
voicemail recording message
route direction path
map layer tile
warehouse location stock inventory
stock inventory quantity level
supplier vendor provider
courier carrier shipper
return refund rma
review rating feedback
rating score review star
ad advertisement campaign creative
audience segment
lead prospect contact
opportunity deal
newsletter campaign mailing
survey form questionnaire
answer response submission
applicant candidate
vacancy job position opening
shift rota schedule
timesheet time entry
payslip payroll salary
tax vat rate
vehicle car truck
driver courier
booking reservation
seat place
passenger traveller guest
host owner organizer
blob object file
bucket container storage
database db schema
replica copy instance
shard partition
certificate key
vault store secret
pod instance workload
deployment release
namespace project tenant
license seat entitlement
consent approval agreement
device phone computer
alias name
cluster node member
ban deny block shield
thumbnail image preview
preview image thumbnail
summary description abstract overview
attachment document upload
screenshot attachment image picture
duplicate copy clone
`;

/** Verbs that people say, and what APIs call the same: the left word finds those on the right. */
const ACTS = `
make: create add new generate
create: add new insert make generate
add: create insert append post
new: create add
build: create
register: create add
insert: create add
set: update put change edit
delete: remove destroy drop erase
remove: delete drop destroy detach unassign
erase: delete remove
destroy: delete remove terminate
drop: delete remove
discard: delete remove
purge: delete prune clear
clean: prune clear purge
clear: delete purge empty remove
empty: clear purge prune
change: update edit modify patch set
edit: update modify patch change
modify: update edit patch
update: edit modify patch change set
correct: update edit modify
adjust: update edit set
alter: update edit modify
rename: name update edit patch title
replace: update set put
switch: toggle enable disable update transfer
find: search list query lookup get
search: find query list filter
look: search lookup get find
query: search list
filter: search list
see: get list show view
view: get list show
show: get list view
read: get retrieve content
display: get list show
check: get test verify validate
fetch: get retrieve
get: retrieve fetch
list: get all
browse: list get
start: run begin launch create play
run: start execute create trigger launch
launch: start run create
begin: start create
execute: run start invoke
trigger: run start execute dispatch
continue: resume play start
resume: continue play start unpause
play: start resume
stop: pause cancel end halt terminate kill disable shutdown
pause: stop suspend
halt: stop pause
end: stop expire finish complete close terminate hangup
finish: complete end close
terminate: end stop kill delete
kill: stop terminate delete
cancel: delete stop void abort terminate revoke
abort: cancel stop
enable: on activate toggle
activate: enable on
disable: off deactivate suspend
deactivate: disable off suspend
restore: revive undelete recover unarchive
revive: restore recover
undo: revert restore reset
revert: rollback restore undo
recover: restore revive
reopen: open update
archive: close closed
close: closed state archive update
send: post create deliver mail submit
post: send create
write: post create send comment add
say: post send message
publish: release public
share: invite acl permission link upload shared
invite: invitation add
upload: create import put
import: upload migrate
download: content export get file raw
export: download report dump
approve: accept confirm
accept: approve confirm
reject: decline deny refuse
decline: reject deny
deny: reject decline
refuse: reject decline deny
move: transfer update change list
transfer: move send
copy: clone duplicate fork import
clone: copy fork duplicate
duplicate: copy clone
combine: merge join
merge: join combine
lock: freeze protect
protect: protection lock
freeze: lock suspend pause
follow: subscribe following watch
subscribe: follow watch subscription
unsubscribe: unfollow unwatch delete remove subscription
unfollow: unsubscribe delete
like: favorite star save vote reaction
liked: saved favorite starred
save: store put keep add
saved: library
bookmark: star save favorite
assign: add attach member give
give: add assign grant put
grant: add assign permission
quit: leave exit
leave: quit exit
kick: remove delete
ban: block
block: ban
unban: ban delete
pay: settle charge payment
charge: pay payment
refund: reversal
verify: check validate confirm
validate: check verify test
test: check verify ping
scale: replicas update resize
resize: scale update
restart: reboot reload
reboot: restart
mark: update
tick: complete check state mark
complete: finish done close
done: complete finish
book: create reserve add
reserve: book create
plan: create schedule
schedule: plan create
reschedule: update move patch
organize: group
report: create submit
draw: generate create image
transcribe: transcription
translate: translation
summarize: summary
moderate: moderation
harmful: moderation abuse classify
invalidate: revoke expire reset
revoke: delete invalidate remove
reset: restore clear
pin: pinned pins
react: reaction reactions
reacted: reaction reactions
connect: attach link join
disconnect: detach leave
attach: add connect link upload
detach: remove disconnect
join: enter add
sync: refresh synchronize
refresh: reload sync renew
renew: refresh extend
extend: renew extension update
deploy: release publish rollout create
rollback: revert
watch: subscribe subscription follow
listen: play played
heard: played
listened: played
inactive: prune unused stale
unused: prune
buy: purchase order create
sell: product sale
sold: product sale order
hire: create add
fire: delete remove
promote: update role grade
count: number total statistic
compare: diff compare
difference: diff compare
happened: action event activity history log
changed: audit history log revision
consumed: usage
used: usage
louder: volume
quieter: volume
clear: delete remove
weather: forecast
who: user member people person author collaborator
someone: user member people person collaborator
somebody: user member people person collaborator
everyone: user member all
anyone: user member
everybody: user member all
remind: reminder
comment: note
jot: note create
log: record
forbid: deny restrict block
allow: permit approve enable
authorize: authorization permission
authorized: authorization
protect: protection
wrong: error warning failure fault
went: event history
done: complete finish status state
finished: complete status state
abort: cancel
maintenance: evacuate drain downtime
allowlist: whitelist allow permit
denylist: blacklist block deny
`;

/** Phrases with a meaning of their own, and the words that APIs use for it. */
const PHRASES = `
once more: retry resend again
one more time: retry resend again
every month: recurring monthly schedule subscription
each month: recurring monthly schedule subscription
every day: recurring daily schedule
every week: recurring weekly schedule
every night: recurring schedule cron
on a regular basis: recurring schedule
come back: recurring return
at the same time: bulk batch
all at once: bulk batch
in one go: bulk batch
many at: bulk batch
in parallel: bulk batch
call back: cancel recall callback
hold off: pause delay postpone
put off: postpone reschedule delay snooze
speak to: call message
talk to: message chat call connect
hear about: notification follow subscription
hear from: follow notification
get told: notification webhook
be told: notification webhook
gets told: notification webhook
keep posted: notification subscribe follow
find out about: get
can live with: ignore accept
live with: ignore accept
do not show: ignore hide mute dismiss
not show: ignore hide mute dismiss
don t show: ignore hide mute dismiss
not interested: hide dismiss ignore
short of: low
going on: activity event status
is up: status health
is down: status health outage
up and running: status health
still alive: health ping status
too many requests: throttle limit quota rate
too fast: throttle limit rate
too often: throttle limit rate
too much: limit quota
so far: total count progress usage
free of charge: free
for free: free
due date: due deadline
last seen: activity presence
sanctions list: watchlist screening
credit check: score report
id check: identity verification
prove who: identity verification
who he is: identity verification
who she is: identity verification
who they are: identity verification
who are you: identity about info
where does: location address place
where do: location address place
what is new: news latest recent feed timeline update
what s new: news latest recent feed timeline update
what is on: schedule program event
what is wrong: error problem issue failure status
look like: preview appearance theme
works for: employment employer company
work for: employment employer company
in my name: behalf
on my behalf: behalf
on behalf of: behalf impersonate
in charge: owner assignee responsible
responsible for: owner assignee
at work: shift working
on duty: shift schedule oncall
on call: oncall schedule
on vacation: leave absence timeoff
time off: leave absence timeoff vacation
day off: leave absence timeoff
sick leave: absence leave timeoff
pay rise: salary compensation wage
open hours: hour opening
opening hours: hour opening business
opening times: hour opening
right side up: rotate
bigger disk: volume resize disk
more memory: resize memory upgrade
more space: resize quota storage
more power: resize upgrade
bigger machine: resize
smaller pieces: split chunk
zip file: archive zip compress
unpack: extract unzip decompress
unzip: extract decompress
first letters: initial
qr code: qr barcode
phone number: phone number
house number: address
post code: postal zip postcode address
zip code: postal zip postcode
sort code: routing number bank
two factor: mfa otp factor tfa
second factor: mfa otp factor
one time password: otp totp
one time code: otp totp
magic link: email link login passwordless
verification mail: verification email
confirmation mail: verification email confirm
welcome mail: welcome email
black list: blacklist block denylist
white list: whitelist allowlist
spam folder: spam junk
shopping basket: cart basket
shopping cart: cart basket
shopping list: list
to the front: top order position reorder
at the top: pin top feature
to the top: pin top order position
in order: order sort position
different order: reorder sort position
upside down: rotate flip
side by side: compare diff
what changed: diff change history changelog compare
who changed: history audit change log
what did they do: activity log audit history
what did he do: activity log audit history
what did she do: activity log audit history
what did people do: activity log audit history
who logged in: login session activity log
failed logins: login attempt session event
log me in: login session token
log me out: logout session
log him out: logout session
log her out: logout session
log them out: logout session
log everybody out: logout session
sign me up: register create subscribe
act as: impersonate behalf
log in as: impersonate login
look over: review
agree to: accept approve consent
say yes: accept approve
say no: decline reject
turn down: decline reject lower
make public: publish public visibility
make private: private visibility unpublish
can edit: permission role collaborator write
may write: permission role collaborator write access
may edit: permission role collaborator write access
may read: permission role read access
may see: permission access visibility acl role share
may access: permission access acl role
may use: permission access role
can access: permission access acl role
can read: permission access role read
can write: permission access role write
has access: access permission member acl role collaborator collaboration
have access: access permission member acl role collaborator collaboration
give access: permission access grant share role member
gain access: permission access
lose access: revoke permission remove
keep out: block ban deny
works together: collaborator team
belongs to us: own
turn on: enable on
turn off: disable off end
switch on: enable on
switch off: disable off
money back: refund
pay back: refund
paid back: refund
set up: create
sign up: create register
signed up: create register
log in: login session
log out: logout session
logged in: login session
sign in: login session
sign out: logout session
who am i: me current account profile user authenticated
who can: permission access acl member role
who may: permission access acl role
may do: permission access acl role
can do: permission access acl role
allowed to: permission access acl role
can see: permission access acl visibility
stop sharing: share acl permission unshare revoke
logging in: login session
log everywhere: logout session
try again: retry resend redeliver rerun
send again: resend redeliver retry
tell again: resend
throw out: delete remove
sign on: login session
right now: current live now
put aside: save budget reserve
put online: publish deploy
go live: publish deploy release
goes live: publish deploy release
run out: expire expiration validity
runs out: expire expiration validity
money left: balance available remaining
get rid of: delete remove
throw away: delete remove
take away: remove delete
take off: remove delete
take back: delete remove
take out: remove delete
kick out: remove kick delete
bring back: restore unarchive undelete
give back: refund return
hand over: transfer ownership
look up: lookup search find
look for: search find
look into: get inspect
back up: backup snapshot export
shut down: stop shutdown disable
spin up: create start
fire up: start run
hang up: hangup end
pick up: accept
write down: create add note transcription
speech to text: transcription
text to speech: speech
pull request: pull
pull requests: pulls
merge request: merge pull
merge requests: merge pull
pr: pull
prs: pulls
do not disturb: dnd snooze
direct message: dm conversation open channel
co author: author
bad debt: uncollectible
promo code: coupon promotion
time zone: timezone zone settings
up next: queue next
coming up: upcoming next
new releases: release new
came out: release
working on: working
how many: count number statistic total
how much: amount total usage cost state
how long: time duration statistic
how often: count usage
belong to: in
belongs to: in
free time: free busy availability
at once: bulk batch capacity
in bulk: bulk batch
opt in: subscribe consent
opt out: unsubscribe consent
find out: get
check in: checkin
check out: checkout
sum up: summary
thumbs up: reaction
thumbs down: reaction
phone call: call
public key: key
ssh key: key
api key: key token
ip address: ip address
dns record: record rrset
a record: record rrset
mail address: email
e mail: email
to do: task todo
to dos: task todo
feature flag: flag feature toggle
access token: token
log file: log
disk space: disk storage volume
take part: participant attendee
use up: usage
used up: usage
end user: user customer
turn into: convert
put on: add
put in: add
put into: add
somewhere else: move transfer
who did: activity audit log event history
latest version: refresh upgrade latest version
newest version: refresh upgrade latest version
what people say: comment review feedback
people say: comment review feedback
design tokens: variable style
design token: variable style
earlier state: checkpoint version revision snapshot
present state: checkpoint snapshot state
go back: restore revert rollback
roll back: rollback restore revert
put back: restore
start over: restart reset
start anew: restart
went wrong: error warning failure log
goes wrong: error warning failure log
logged in as: me user current account
let in: add certificate member allow
sign off: approve accept
call off: cancel
fill in: submit answer
fill out: submit answer
send out: send
set aside: reserve archive
put away: archive
close down: close delete
carry out: run execute
take down: remove delete unpublish
take over: assign transfer
point to: target alias
how much is: price cost amount balance total
how much are: price cost amount total
how much does: price cost amount
how much do: price cost amount usage
how far: progress distance
how big: size
how fast: speed latency performance
how busy: usage load metric
how old: age date
what time: schedule time
should i: recommendation suggestion
should we: recommendation suggestion
like this: similar related
like that: similar related
like these: similar related
like it: similar related
like mine: similar related
where is: location tracking position address place
where are: location tracking position address place
who wants: request pending
still valid: validate expire verify
up to date: current update sync
in stock: inventory stock availability
out of stock: inventory stock availability
from scratch: create new rebuild
near me: nearby location
near here: nearby location
close by: nearby location
`;

/** Stems of words that may stand for this one, itself excluded. */
export const synonymsOf = (stem: string): readonly string[] => {
  const words = [
    ...linesWith(GROUPS, stem).flatMap(({ left }) => left),
    ...linesWith(ACTS, stem).flatMap(({ isLeft, right }) => (isLeft ? right : [])),
  ];
  const others = new Set(words.map(stemOf));
  others.delete(stem);
  return [...others];
};

export const MOST_PHRASE_WORDS = 4;

/** Words for what a phrase means as a whole; undefined where it is no known phrase. */
export const phraseMeaning = (words: readonly string[]): readonly string[] | undefined => {
  const line = `\n${words.join(' ')}: `;
  const at = PHRASES.indexOf(line);
  if (at < 0) return undefined;
  const start = at + line.length;
  return PHRASES.slice(start, PHRASES.indexOf('\n', start)).split(' ');
};
