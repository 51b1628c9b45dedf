export { refreshWarnings } from './refresh-warnings.ts';
export { applyOverrides, overrideOf } from './apply-overrides.ts';
export { isSameDeployment } from './same-deployment.ts';
export { checkSlug, isSlug, slugFromTitle, slugWithEnding } from './slug.ts';
export { summarizeWarnings } from './summarize-warnings.ts';
export { structuredTools } from './structured-tools.ts';
export { chosenNotes, secretTools, toolReport } from './tool-report.ts';
export { unknownAnswerFields } from './unknown-answer-fields.ts';
export { toolsDiff, type ToolsDiff, withModes } from './differences/tools-diff.ts';
