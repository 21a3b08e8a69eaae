import { language } from '../language/language.ts';

/** Accents, and the marks that isolate a direction. */
const MARKS = /[\u0300-\u036f\u2066-\u2069]/g;

/** A text as it is compared with what somebody types: whatever the case and the accents. */
export const fold = (text: string): string =>
  text.normalize('NFD').replace(MARKS, '').toLocaleLowerCase(language).trim();
