const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const POLICIES = join(__dirname, '../../../local/policies');
const read = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));

/**
 * What a run of the tests shows of the permissions of functions.
 *
 * @param folder - holds what each embedded AWS has recorded
 * @param all - whether all tests ran: otherwise nothing can be said of grants that were not used
 * @returns sentences: calls that were denied and no test meant to be, and grants that nothing used
 */
const accessProblems = (folder, { all }) => {
  const records = readdirSync(folder).map((name) => read(folder, name));
  const denied = records.flatMap(({ denials }) =>
    denials.map(({ caller, action, resource }) => `${caller} was denied ${action} on ${resource}`),
  );
  if (!all) return [...new Set(denied)];

  const used = new Set(
    records.flatMap(({ uses }) =>
      uses.map(({ caller, sid, action }) => `${caller} ${sid} ${action}`),
    ),
  );
  const usedByAws = read(POLICIES, 'used-by-aws.json');
  const stages = readdirSync(POLICIES).filter((name) => name !== 'used-by-aws.json');
  const grants = stages.flatMap((stage) =>
    Object.entries(read(POLICIES, stage).functions).flatMap(([caller, statements]) =>
      statements.flatMap(({ Sid, Action }) =>
        [Action].flat().map((action) => ({ sid: Sid, grant: `${caller} ${Sid} ${action}` })),
      ),
    ),
  );
  const unused = grants
    .filter(({ sid, grant }) => usedByAws[sid] === undefined && !used.has(grant))
    .map(({ grant }) => `nothing used the grant ${grant}`);
  const usedAfterAll = grants
    .filter(({ sid, grant }) => usedByAws[sid] !== undefined && used.has(grant))
    .map(({ grant }) => `local/policies/used-by-aws.json has ${grant}, which a function used`);
  return [...new Set([...denied, ...unused, ...usedAfterAll])];
};

module.exports = { accessProblems };
