import { Trans } from '@lingui/react/macro';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { WaitingChange } from '../contract/proposal.ts';

/** Changes that count once a second person has approved them. */
export const WaitingChanges = ({
  changes,
  isNamed = false,
}: {
  changes: readonly WaitingChange[];
  isNamed?: boolean;
}) =>
  changes.map(({ id, subjectId, name, lines, askedBy, askedOn }) => (
    <p key={id} className="soft">
      <Chip>
        <Trans>Waits for approval</Trans>
      </Chip>{' '}
      {(isNamed || subjectId === null) && `${name} · `}
      {lines
        .map(({ label, from, to }) => `${label}: ${subjectId === null ? to || '–' : `${from || '–'} → ${to || '–'}`}`)
        .join(' · ')}
      {' · '}
      <Trans>
        asked by {askedBy} on {showDate(askedOn)}
      </Trans>
    </p>
  ));
