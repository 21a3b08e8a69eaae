import { Module } from '@nestjs/common';
import { ChangeCounts } from './change-counts';
import { RecordReader } from './record-reader';

@Module({ providers: [ChangeCounts, RecordReader], exports: [ChangeCounts, RecordReader] })
export class DirectoryModule {}
