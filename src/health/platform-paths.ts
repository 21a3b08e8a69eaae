/** Paths that a platform requests from each process. They have no rate limit. */
export const PLATFORM_PATHS = /^\/(?:health|metrics)(?:\/|$)/;
