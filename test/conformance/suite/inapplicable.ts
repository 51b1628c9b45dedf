/**
 * The scenarios of the suite that this service cannot pass, each under the reason why. Any other has
 * to pass; one of these that passes has to leave the list.
 */
export const INAPPLICABLE: Readonly<Record<string, readonly string[]>> = {
  'No tool asks clients to repeat its arguments in headers: they would land in logs, and proxies drop them.':
    ['http-custom-header-server-validation'],

  'A tool is one request to an HTTP API: its result never asks the caller for more input.': [
    'input-required-result-basic-elicitation',
    'input-required-result-basic-sampling',
    'input-required-result-basic-list-roots',
    'input-required-result-request-state',
    'input-required-result-multiple-input-requests',
    'input-required-result-multi-round',
    'input-required-result-non-tool-request',
    'input-required-result-result-type',
    'input-required-result-tampered-state',
    'input-required-result-capability-check',
  ],

  'Tasks are an extension, which the service neither has nor declares.': [
    'tasks-lifecycle',
    'tasks-capability-negotiation',
    'tasks-wire-fields',
    'tasks-request-state-removal',
    'tasks-mrtr-input',
    'tasks-request-headers',
    'tasks-dispatch-and-envelope',
    'tasks-required-task-error',
    'tasks-mrtr-composition',
  ],

  'A tool is one request to an HTTP API: it asks its caller nothing.': [
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
  ],

  'A tool is one request to an HTTP API, which says nothing until it answers: there is no progress and no log to tell of.':
    ['tools-call-with-logging', 'tools-call-with-progress'],

  'A tool has one answer of an HTTP API, which is of one content type.': [
    'tools-call-mixed-content',
  ],

  'A prompt is a template of text.': ['prompts-get-embedded-resource', 'prompts-get-with-image'],

  'Input schemas are made of parameters and bodies of an OpenAPI description, and are objects at their root; the one that the scenario asks for, with conditions at its root, is of no such origin.':
    ['json-schema-2020-12'],

  'The specification says -32601 for subscriptions, and the capability is not declared.': [
    'resources-subscribe',
    'resources-unsubscribe',
  ],
};

/** Checks of scenarios that otherwise pass, under the same rule. */
export const INAPPLICABLE_CHECKS: Readonly<Record<string, readonly string[]>> = {
  // They want a tool that needs the client to sample.
  'server-stateless': [
    'sep-2575-server-rejects-undeclared-capability',
    'sep-2575-missing-capability-http-400',
  ],
};
