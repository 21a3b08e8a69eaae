import { Module } from '@nestjs/common';
import { ChangeCounts } from './change-counts';
import { RecordLists } from './record-lists';

@Module({ providers: [ChangeCounts, RecordLists], exports: [ChangeCounts, RecordLists] })
export class DirectoryModule {}
