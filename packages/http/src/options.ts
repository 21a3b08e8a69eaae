/** Timeouts for callers, in milliseconds, the size of their headers, and the memory for their bodies. */
export interface HttpBounds {
  /** For the headers of a request. */
  readonly headersMs: number;
  /** For the whole request, from its first byte to its last, and for reading more of an answer. */
  readonly requestMs: number;
  /** Between two requests on one connection. */
  readonly keepAliveMs: number;
  /** Between reporting that the process stops and refusing connections. */
  readonly drainMs: number;
  /** For the path, the query and the headers of a request together, in bytes. */
  readonly headerBytes: number;
  /** The memory for the bodies of all requests, in bytes. */
  readonly bodyMemoryBytes: number;
}

/** The maximum number of requests to this process in each window of time. 0 means no limit. */
export interface FairUse {
  readonly perAddress: number;
  readonly perCaller: number;
  readonly windowSeconds: number;
  /** The number of proxies in front of the process whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: number;
}

export interface HttpOptions {
  readonly httpBounds: HttpBounds;
  readonly fairUse: FairUse;
}

/** The injection token of {@link HttpOptions}. */
export const HTTP_OPTIONS = Symbol('HTTP_OPTIONS');
