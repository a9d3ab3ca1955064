import { Trans } from '@lingui/react/macro';
import { translateOption } from '#kit/browser/text.ts';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import type { WaitingRelief } from '../contract/relief.ts';

/** Changes of a plan that count once a second person has approved them. */
export const WaitingReliefs = ({ reliefs }: { reliefs: readonly WaitingRelief[] }) =>
  reliefs.map(({ id, kind, effectiveFrom, lowers, dueOn, reason, askedBy, askedOn }) => (
    <p key={id} className="soft">
      <Chip>
        <Trans>Waits for approval</Trans>
      </Chip>{' '}
      {translateOption(kind)}
      {': '}
      {dueOn === '' ? (
        <Trans>
          {showMoney(lowers)} less from {showDate(effectiveFrom)}
        </Trans>
      ) : (
        <Trans>
          {showMoney(lowers)} due on {showDate(dueOn)} → {showDate(effectiveFrom)}
        </Trans>
      )}
      {reason && ` · ${reason}`}
      {' · '}
      <Trans>
        asked by {askedBy} on {showDate(askedOn)}
      </Trans>
    </p>
  ));
