import { stemOf } from './words.ts';

/** Irregular forms, each before its present or singular form. */
const FORMS =
  ' paid:pay sent:send bought:buy sold:sell made:make left:leave went:go gone:go came:come got:get gave:give ' +
  'given:give took:take taken:take done:do did:do wrote:write written:write drove:drive driven:drive flew:fly ' +
  'flown:fly ate:eat eaten:eat broke:break broken:break hid:hide hidden:hide stole:steal stolen:steal saw:see ' +
  'seen:see heard:hear knew:know known:know grew:grow grown:grow drew:draw drawn:draw threw:throw thrown:throw ' +
  'shown:show began:begin begun:begin ran:run built:build lent:lend won:win slept:sleep felt:feel thought:think ' +
  'taught:teach caught:catch brought:bring understood:understand led:lead found:find told:tell said:say met:meet ' +
  'kept:keep held:hold lost:lose forgot:forget forgotten:forget spent:spend chose:choose chosen:choose ' +
  'became:become woke:wake rang:ring sang:sing spoke:speak spoken:speak shot:shoot stood:stand rose:rise ' +
  'fell:fall fallen:fall dealt:deal meant:mean children:child men:man women:woman feet:foot mice:mouse ' +
  'criteria:criterion lives:life wives:wife indices:index ';

/** Stem of the present or singular form: `pay` for `paid`; undefined where the form is regular. */
export const presentOf = (word: string): string | undefined => {
  const begin = ` ${word}:`;
  const at = FORMS.indexOf(begin);
  if (at < 0) return undefined;
  const start = at + begin.length;
  return stemOf(FORMS.slice(start, FORMS.indexOf(' ', start)));
};
