import type { InquiryState } from '#features/admission-form/contract/state.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Chip, type ChipKind } from '#kit/browser/ui/Chip.tsx';

const kinds: Record<InquiryState, ChipKind> = {
  New: 'accent',
  'Form sent': 'info',
  'In progress': 'warn',
  Submitted: 'good',
  'Under review': 'info',
  'Correction requested': 'warn',
  Verified: 'good',
  Rejected: 'bad',
  Withdrawn: 'plain',
  Lost: 'plain',
};

export const InquiryStateChip = ({ state }: { state: InquiryState }) => (
  <Chip kind={kinds[state]}>{translateOption(state)}</Chip>
);
