/** What a platform asks of a process, and not of the service: it is answered however many requests there are. */
export const PLATFORM_PATHS = /^\/(?:health|metrics)(?:\/|$)/i;
