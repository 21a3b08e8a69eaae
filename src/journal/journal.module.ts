import { Module } from '@nestjs/common';
import { Journal } from './journal';
import { JournalReader } from './journal-reader';

@Module({ providers: [Journal, JournalReader], exports: [Journal, JournalReader] })
export class JournalModule {}
