import { Trans, useLingui } from '@lingui/react/macro';
import { translate } from '#kit/browser/text.ts';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import type { DashboardWarning } from '../contract.ts';

/** The Admins' red cards: what must be fixed. */
export function Warnings({ warnings }: { warnings: readonly DashboardWarning[] }) {
  const { t } = useLingui();
  if (warnings.length === 0) return null;
  return (
    <section role="alert" aria-label={t`Needs your attention`}>
      {warnings.map(({ name, text, to }) => (
        <Notice key={name} kind="bad">
          {translate(text)}{' '}
          {to && (
            <ServedLink to={to}>
              <Trans>Fix this</Trans>
            </ServedLink>
          )}
        </Notice>
      ))}
    </section>
  );
}
