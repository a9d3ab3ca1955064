import { Trans, useLingui } from '@lingui/react/macro';
import { translateOption } from '#kit/browser/text.ts';
import { List, Text } from '#kit/browser/ui/Layout.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import type { ProcessRecord } from '../../contract/process.ts';

/** What was decided about an application, newest first. */
export function DecisionLines({ decisions }: Pick<ProcessRecord, 'decisions'>) {
  const { t } = useLingui();
  const kindWords = { Offer: t`Offer`, Waitlist: t`Waiting list`, Reject: t`Declined` };
  if (decisions.length === 0) return null;
  return (
    <List as="ol">
      {decisions.map(({ id, kind, quota, by, at, releasedAt, isCancelled, conditions, reason, remark }) => (
        <Text as="li" size={13} key={id}>
          {[kindWords[kind], quota && translateOption(quota), reason, remark, conditions].filter(Boolean).join(' · ')}{' '}
          <span className="soft">
            {isCancelled ? (
              <Trans>Undone. Decided by {by}.</Trans>
            ) : releasedAt ? (
              <Trans>
                Decided by {by}, released on {showMoment(releasedAt)}
              </Trans>
            ) : (
              <Trans>
                On hold since {showMoment(at)}, decided by {by}
              </Trans>
            )}
          </span>
        </Text>
      ))}
    </List>
  );
}
