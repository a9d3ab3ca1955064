import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import type { StudentHead } from '../contract/record.ts';

export const statusKinds: Readonly<Record<StudentHead['status'], ChipKind>> = {
  Active: 'good',
  Joining: 'info',
  Undecided: 'warn',
  Left: 'plain',
  'Never joined': 'plain',
};

export const alertKinds: Readonly<Record<StudentHead['alertLevel'], ChipKind>> = {
  '': 'plain',
  Info: 'info',
  Warning: 'warn',
  Critical: 'bad',
};
