import type { InquiryState } from '#features/admission-form/contract/state.ts';
import { translateOption } from '#kit/browser/text.ts';
import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';

const kinds: Record<InquiryState, ChipKind> = {
  New: 'accent',
  'Form sent': 'info',
  'In progress': 'warn',
  Submitted: 'good',
  'Under review': 'info',
  'Correction requested': 'warn',
  Verified: 'good',
  'Interaction planned': 'info',
  'Interaction done': 'info',
  Waitlisted: 'warn',
  Offered: 'accent',
  'Seat confirmed': 'good',
  Admitted: 'good',
  'Offer expired': 'plain',
  Rejected: 'bad',
  Withdrawn: 'plain',
  Lost: 'plain',
};

export const InquiryStateChip = ({ state }: { state: InquiryState }) => (
  <Status kind={kinds[state]}>{translateOption(state)}</Status>
);
