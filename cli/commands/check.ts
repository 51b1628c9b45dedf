import type { Report } from '../api/api.ts';
import { command, type Context } from '../command.ts';
import { EXIT, type Finding, findingsOf, usageFailure } from '../failure.ts';
import { type Json, listOf, numberOf, textOf } from '../json.ts';
import { findingLine } from '../output.ts';
import { plainOf } from '../text/plain.ts';
import { count } from '../text/words.ts';
import { CHOICE_OPTIONS, choicesFrom } from '../input/choices.ts';
import { present } from './deploy.ts';
import { namingAllowed, reportOf } from '../input/opening.ts';
import { searchedIfTooLarge } from '../input/too-large.ts';
import {
  DESCRIPTION_OPTIONS,
  descriptionFrom,
  type GivenDescription,
} from '../input/description.ts';
import { credentialNeedLines } from '../text/credential-needs.ts';
import { descriptionWarnings } from '../text/description-warnings.ts';
import { changeLines } from '../text/difference.ts';
import { reportLines } from '../text/tool-report.ts';

const check = command({
  name: 'check',
  summary: 'Previews what deploy would publish; publishes nothing',
  places: ['file-or-url'],
  options: {
    slug: { value: 'NAME', help: 'of a server of yours: what would its next version break?' },
    ...DESCRIPTION_OPTIONS,
    ...CHOICE_OPTIONS,
  },
  details: [
    'Takes what deploy takes. Ends with code 1 where deploy would be refused.',
    'A URL is read by the service, not by this machine.',
  ],
  run: async (context, places, { slug, ...chosen }) => {
    const { api, ask, output } = context;
    const description = await descriptionFrom(context, places['file-or-url'], chosen);
    const choices = await choicesFrom(ask, chosen);
    const there = slug !== undefined && (await present(api, slug)) !== undefined;
    const place = there ? { deployment: slug } : { slug };
    const look = (chosen: Json) =>
      namingAllowed(choices, () => reportOf(api, { ...chosen, ...description.json, ...place }));
    const report = await (there ? look(choices) : searchedIfTooLarge(output, choices, look));
    const problems = listOf(report.problems);
    const tools = listOf(report.tools);
    const summary =
      description.findings.length > 0
        ? { ...report, openapi_findings: description.findings }
        : report;
    const lines = [
      // Without tools there are no sums: the reasons say more.
      ...(tools.length === 0 && problems.length > 0
        ? []
        : reportLines(tools, output.paint, [], listOf(report.client_limits))),
      ...leftOut(report),
      ...('difference' in report ? ['', ...changeLines(report.difference)] : []),
      ...addressLines(report),
      ...listOf(report.overlays).map(
        ({ title, actions, applied }) =>
          `Overlay "${plainOf(title)}": ${numberOf(applied)} of ${count(numberOf(actions) ?? 0, 'action')} applied.`,
      ),
      ...output.again(credentialNeedLines(textOf(report.slug) ?? 'SLUG', report)),
      '',
      ...verdict(report, problems),
    ];
    output.result(summary, lines.slice(lines.findIndex((line) => line !== '')));
    output.warnings([
      ...notToldIn(
        problems.flatMap((one) => findingsOf(one.findings)),
        findingsOf(report.warnings),
        description.findings,
      ),
      ...findingsOf(report.exposures),
    ]);
    return problems.length > 0 ? EXIT.refused : EXIT.ok;
  },
});

const diff = command({
  name: 'diff',
  summary: 'Shows what publishing a description would change, what breaks callers first',
  places: ['slug', 'file-url-or-version', 'version?'],
  options: { ...DESCRIPTION_OPTIONS, ...CHOICE_OPTIONS },
  details: [
    'A number stands for the description of that version; a file of such a name is written ./2.',
    'Two numbers compare these versions, whichever is served: diff SLUG 3 5.',
    'Publishes nothing. Ends with code 1 where deploy would be refused, as check does.',
  ],
  run: async (context, places, chosen) => {
    const { api, ask, output } = context;
    const { slug, version } = places;
    if (version !== undefined) {
      await compareVersions(context, slug, places['file-url-or-version'], version);
      return EXIT.ok;
    }
    const description = await descriptionOf(context, slug, places['file-url-or-version'], chosen);
    const choices = await choicesFrom(ask, chosen);
    await api.present('GET /deployments/{slug}', { path: { slug } });
    const report = await namingAllowed(choices, () =>
      reportOf(api, { ...choices, ...description.json, deployment: slug }),
    );
    const problems = listOf(report.problems);
    const { difference = null, warnings = [] } = report;
    output.result({ difference, problems, warnings }, [
      ...(difference === null ? [] : changeLines(difference)),
      ...(problems.length > 0 ? verdict(report, problems) : []),
    ]);
    output.warnings([
      ...findingsOf(report.exposures),
      ...descriptionWarnings(findingsOf(warnings), description.findings),
    ]);
    return problems.length > 0 ? EXIT.refused : EXIT.ok;
  },
});

/** Warnings without those that the verdict repeats. */
const notToldIn = (
  fatal: readonly Finding[],
  warnings: readonly Finding[],
  violations: readonly Finding[],
): readonly Finding[] =>
  descriptionWarnings([...warnings, ...fatal], violations).filter(
    ({ where, what }) => !fatal.some((one) => one.where === where && one.what === what),
  );

/** @throws Failure usage where one of them is no number */
const compareVersions = async (
  { api, output }: Context,
  slug: string,
  before: string,
  after: string,
): Promise<void> => {
  if (![before, after].every((one) => VERSION.test(one))) {
    throw usageFailure('Two versions are compared by their numbers, as in: diff SLUG 3 5.');
  }
  const difference = await api.call('GET /deployments/{slug}/versions/{version}/difference', {
    path: { slug, version: after },
    query: { from: before },
  });
  output.result({ difference }, changeLines(difference));
};

const VERSION = /^[1-9]\d{0,8}$/;

const descriptionOf = async (
  context: Context,
  slug: string,
  source: string,
  chosen: Parameters<typeof descriptionFrom>[2],
): Promise<GivenDescription> => {
  if (!VERSION.test(source)) return descriptionFrom(context, source, chosen);
  const bytes = await context.api.download('GET /deployments/{slug}/versions/{version}/openapi', {
    path: { slug, version: source },
  });
  const openapi = Buffer.from(bytes).toString();
  return { json: { openapi }, bundled: [], findings: [] };
};

const leftOut = (report: Report): readonly string[] => {
  const left = numberOf(report.tools_left_out) ?? 0;
  return left === 0 ? [] : [`and ${count(left, 'tool')} more, which the sums leave out.`];
};

/** The API's base URL, and the description's where it differs. */
const addressLines = (report: Report): readonly string[] => {
  const [effective, described] = [report.api_base_url, report.described_base_url].map(plainOf);
  if (!effective) return [];
  const other = described && described !== effective ? ` (the description says ${described})` : '';
  return ['', `Calls go to ${effective}${other}.`];
};

const verdict = (report: Report, problems: Report['problems']): readonly string[] =>
  problems.length === 0
    ? [`It can be published as ${plainOf(report.slug)}.`]
    : [
        'It cannot be published:',
        ...problems.flatMap((problem) => [
          `  ${plainOf(problem.detail)}`,
          ...findingsOf(problem.findings).map(findingLine),
        ]),
      ];

export const checkCommands = [check, diff];
