/** Checks of the official suites that fail, with the reason. */
export interface ExpectedFailures {
  reason: string;
  /** `scenario/check`, or only the scenario for its check of the same name. */
  checks: string[];
}

const ofSuite =
  "The check calls a tool, or reads a resource, that only the suite's own server has: what it checks is not checked here.";
const noSubscriptions =
  'The connector takes no subscriptions to resources: it has no sessions to notify, and its resources do not change while it runs.';
const noPrompts = 'The connector offers tools and resources: there are no prompts.';
const noCompletions = 'The connector offers no completions: it has no prompts to complete.';
const noLogging = 'The connector sends no log messages: every answer is one JSON message.';
const noProgress =
  'The connector sends no progress, which is optional: every response is one JSON message, and every call is short.';
const noQuestions =
  'No tool requests input from its client: arguments are enough, and the person decides on the checkout page.';
const noTasks = 'Tasks are an extension that the connector does not offer.';
const noParameterHeaders = 'No tool asks for an argument to be mirrored in a header.';

const ofSuiteChecks = [
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'json-schema-2020-12/json-schema-2020-12-tool-found',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
];
const promptChecks = [
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
];

/** Protocol version 2025-11-25. */
const of2025: ExpectedFailures[] = [
  { reason: ofSuite, checks: ofSuiteChecks },
  { reason: noSubscriptions, checks: ['resources-subscribe', 'resources-unsubscribe'] },
  { reason: noPrompts, checks: promptChecks },
  { reason: noCompletions, checks: ['completion-complete'] },
  { reason: noLogging, checks: ['logging-set-level', 'tools-call-with-logging'] },
  { reason: noProgress, checks: ['tools-call-with-progress'] },
  {
    reason: noQuestions,
    checks: [
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults/elicitation-sep1034-general',
      'elicitation-sep1330-enums/elicitation-sep1330-general',
    ],
  },
];

/** Protocol version 2026-07-28. */
const of2026: ExpectedFailures[] = [
  { reason: ofSuite, checks: ofSuiteChecks },
  { reason: noPrompts, checks: [...promptChecks, 'caching/sep-2549-prompts-list-caching-hints'] },
  { reason: noCompletions, checks: ['completion-complete'] },
  { reason: noLogging, checks: ['server-stateless/sep-2575-server-no-log-without-loglevel'] },
  { reason: noProgress, checks: ['tools-call-with-progress'] },
  {
    reason: noQuestions,
    checks: [
      'server-stateless/sep-2575-server-rejects-undeclared-capability',
      'server-stateless/sep-2575-missing-capability-http-400',
      'server-stateless/sep-2575-http-server-no-independent-requests-on-stream',
      'input-required-result-basic-elicitation/sep-2322-elicitation-incomplete',
      'input-required-result-basic-sampling/sep-2322-sampling-incomplete',
      'input-required-result-basic-list-roots/sep-2322-list-roots-incomplete',
      'input-required-result-request-state/sep-2322-request-state-incomplete',
      'input-required-result-multiple-input-requests/sep-2322-multiple-inputs-incomplete',
      'input-required-result-multi-round/sep-2322-multi-round-r1',
      'input-required-result-non-tool-request/sep-2322-non-tool-incomplete',
      'input-required-result-result-type/sep-2322-result-type-included',
      'input-required-result-tampered-state/sep-2322-reject-tampered-state',
      'input-required-result-capability-check/sep-2322-respect-client-capabilities',
    ],
  },
  {
    reason: noParameterHeaders,
    checks: [
      'sep-2243-server-no-xmcp-tool',
      'sep-2243-server-decode-base64',
      'sep-2243-server-validate-param-match',
      'sep-2243-server-reject-invalid-param-chars',
      'sep-2243-server-reject-param-mismatch',
    ].map((check) => `http-custom-header-server-validation/${check}`),
  },
  {
    reason: noTasks,
    checks: [
      'tasks-lifecycle/tasks-sync-tool-call',
      'tasks-lifecycle/sep-2663-result-type-task-on-create',
      'tasks-lifecycle/sep-2663-tasks-get-status-working',
      'tasks-lifecycle/sep-2663-tasks-get-status-completed',
      'tasks-lifecycle/sep-2663-tool-error-uses-completed-status',
      'tasks-lifecycle/sep-2663-tasks-get-status-failed',
      'tasks-lifecycle/sep-2663-cancel-ack-empty-result',
      'tasks-lifecycle/tasks-cancel-terminal-idempotent-ack',
      'tasks-capability-negotiation/tasks-extension-advertised',
      'tasks-capability-negotiation/sep-2663-tasks-methods-non-declaring',
      'tasks-capability-negotiation/sep-2663-server-rejects-undeclared-client',
      'tasks-capability-negotiation/tasks-per-request-meta-opt-in',
      'tasks-wire-fields/tasks-wire-field-renames',
      'tasks-wire-fields/tasks-no-early-ttl-expiry',
      'tasks-wire-fields/tasks-no-related-task-meta-on-inlined-result',
      'tasks-request-state-removal/tasks-request-state-removal-setup',
      'tasks-mrtr-input/sep-2663-tasks-get-status-input-required',
      'tasks-mrtr-input/tasks-mrtr-tasks-update-resumes',
      'tasks-mrtr-input/tasks-mrtr-partial-fulfillment',
      'tasks-request-headers/tasks-headers-tolerate-mcp-method-on-tools-call',
      'tasks-request-headers/sep-2663-routing-headers-accepted-on-tasks-get',
      'tasks-request-headers/sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
      'tasks-dispatch-and-envelope/tasks-server-directed-creation-no-hint',
      'tasks-dispatch-and-envelope/sep-2663-legacy-task-param-ignored',
      'tasks-dispatch-and-envelope/tasks-immediate-result-shortcut',
      'tasks-dispatch-and-envelope/tasks-result-type-complete-on-non-task-responses',
      'tasks-dispatch-and-envelope/sep-2663-durable-create-strong-consistency',
      'tasks-dispatch-and-envelope/sep-2663-tasks-get-invalid-task-id-32602',
      'tasks-required-task-error/sep-2663-server-returns-missing-capability-when-required',
      'tasks-mrtr-composition/sep-2663-mrtr-synchronous-before-task-creation',
    ],
  },
];

/** Which checks of a suite to run, and which of them fail. */
export interface Suite {
  /** Of `@modelcontextprotocol/conformance`. */
  version: string;
  selection: string;
  expected: ExpectedFailures[];
}

export const suites: Suite[] = [
  { version: '0.1.16', selection: '--suite all', expected: of2025 },
  { version: '0.2.0-alpha.12', selection: '--requirements 2025-11-25', expected: of2025 },
  { version: '0.2.0-alpha.12', selection: '--requirements 2026-07-28', expected: of2026 },
];
