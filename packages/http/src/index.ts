export { refuseAmbiguous } from './ambiguous-requests';
export { bearerToken, whyNoBearerToken } from './bearer-token';
export { BodyMemory } from './body-memory';
export { hasMoreStructureThan } from './body-structure';
export { BoundedExpressAdapter } from './bounded-express.adapter';
export { CallerGone } from './caller-gone.decorator';
export { chooseType } from './choose-type';
export { closeConnection, whyClosed } from './closed-connections';
export { discardBody } from './discard-body';
export { elementsOf } from './header-elements';
export { NestLogger } from './nest-logger';
export { closeAfterResponse, responseOn } from './pipelined-requests';
export {
  appliedPreferences,
  appliedStrictness,
  CurrentPreferences,
  type Preferences,
  readPreferences,
} from './preferences';
export { JSON_TYPE, prefersProblem, PROBLEM_TYPE } from './prefers-problem';
export { HTTP_OPTIONS, type HttpOptions } from './options';
export { HttpRefusal, type HttpRefusalCode } from './refusal';
export { RateLimitGuard, WindowCounter } from './rate-limit.guard';
export { hasBody, JSON_BODY_TYPE, JSON_OR_MERGE_PATCH_TYPE, PATCH_TYPES, readBody, refuseOtherThan } from './read-body';
export { RefusalCounts } from './refusal-counts';
export { type IdentifiedRequest, REQUEST_ID_HEADER, traceContextOf } from './request-id';
export { logRequests, noteRefusal, statusOf } from './request-log';
export { isReadable, parseQuery, pathOf, routeByPath } from './request-path';
export { RequestsUnderWay } from './requests-under-way';
export { RouteTable } from './route-table';
export { SECURITY_HEADERS, securityHeaders } from './security-headers';
export { StalledAnswers } from './stalled-answers';
export { stopOnSignals } from './stop-on-signals';
export { refuseUnknownFields } from './unknown-fields';
export { refuseUnknownParameters } from './unknown-parameters';
