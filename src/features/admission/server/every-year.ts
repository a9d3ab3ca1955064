import { everyone } from '#kit/contract/record-list.ts';

/** What waits for a person is counted in every year; the lists show the year open for admission at first. */
export const ofEveryYear = { academicYearId: everyone };
