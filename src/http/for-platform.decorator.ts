import { SetMetadata } from '@nestjs/common';

export const FOR_PLATFORM = 'http:for-platform';

/** Marks what a platform asks of a process, and not of the service: it is answered however much there is to do. */
export const ForPlatform = () => SetMetadata(FOR_PLATFORM, true);
