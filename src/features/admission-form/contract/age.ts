import { ageOn } from '#kit/contract/age.ts';

interface Rule {
  /** Years completed. */
  years: number;
  /** The day that counts, YYYY-MM-DD. */
  on: string;
}

/** Whether a child is younger than the grade usually asks for. A note, never a reason to refuse (B30). */
export function isYoungFor(birthDate: string, rule: Rule): boolean {
  const age = ageOn(birthDate, rule.on);
  return age !== undefined && age.years < rule.years;
}
