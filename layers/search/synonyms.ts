import { stemOf } from './words.ts';

/** Words that people and APIs use for one thing: whoever says one of a line may find any other. */
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

/** What people say of an act, and what APIs call it: whoever says the first may find the others. */
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

/** What several words mean together, in the words of APIs. */
const PHRASES = `
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
stop sharing: acl permission unshare revoke delete
get rid of: delete remove
throw away: delete remove
take away: remove delete
take off: remove delete
take back: delete remove
take out: remove delete
kick out: remove kick delete
bring back: restore unarchive undelete
give back: return refund
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
write down: transcribe transcription create
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
`;

type Alternatives = ReadonlyMap<string, readonly string[]>;

const linesOf = (text: string): readonly string[] => text.trim().split('\n');

const byStem = (): Alternatives => {
  const found = new Map<string, Set<string>>();
  const add = (word: string, others: readonly string[]): void => {
    const stem = stemOf(word);
    const known = found.get(stem) ?? new Set();
    for (const other of others) if (stemOf(other) !== stem) known.add(stemOf(other));
    found.set(stem, known);
  };
  for (const line of linesOf(GROUPS)) {
    const words = line.split(' ');
    for (const word of words) add(word, words);
  }
  for (const line of linesOf(ACTS)) {
    const [word = '', others = ''] = line.split(': ');
    add(word, others.split(' '));
  }
  return new Map([...found].map(([stem, others]) => [stem, [...others]]));
};

const SYNONYMS = byStem();

/** Stems of the words that may stand for a stem, itself not among them. */
export const synonymsOf = (stem: string): readonly string[] => SYNONYMS.get(stem) ?? [];

const MEANT: Alternatives = new Map(
  linesOf(PHRASES).map((line) => {
    const [phrase = '', words = ''] = line.split(': ');
    return [phrase, words.split(' ')];
  }),
);

/** The most words of a phrase. */
export const MOST_PHRASE_WORDS = 4;

/** What words that follow each other mean together: words, or undefined where they mean no more than each. */
export const phraseMeaning = (words: readonly string[]): readonly string[] | undefined =>
  MEANT.get(words.join(' '));
