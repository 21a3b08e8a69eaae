import { Module } from '@nestjs/common';
import { RecordReader } from './record-reader';

@Module({ providers: [RecordReader], exports: [RecordReader] })
export class RecordsModule {}
