import { Trans } from '@lingui/react/macro';
import type { FamilyPartView } from '#features/family/ui/part.ts';

const Top = () => (
  <p>
    <Trans>Planted clubs meet today.</Trans>
  </p>
);

export const familyPart = { key: 'club', place: 9, Top } satisfies FamilyPartView<{ day: string }>;
