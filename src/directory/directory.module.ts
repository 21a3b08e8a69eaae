import { Module } from '@nestjs/common';
import { ChangeCounts } from './change-counts';

@Module({ providers: [ChangeCounts], exports: [ChangeCounts] })
export class DirectoryModule {}
