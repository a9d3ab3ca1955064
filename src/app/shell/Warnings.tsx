import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { translate } from '#kit/browser/text.ts';
import { Notice } from '#kit/browser/ui/Notice.tsx';

/** The Admins' red cards: what must be put right; nothing while there is none. */
export function Warnings() {
  const { t } = useLingui();
  const query = useRead(dashboardApi.warnings, {});
  return (
    <QueryBoundary query={query}>
      {(warnings) =>
        warnings.length > 0 && (
          <section role="alert" aria-label={t`Needs your attention`}>
            {warnings.map(({ name, text, to }) => (
              <Notice key={name} kind="bad">
                {translate(text)}{' '}
                {to && (
                  <Link to={to}>
                    <Trans>Fix this</Trans>
                  </Link>
                )}
              </Notice>
            ))}
          </section>
        )
      }
    </QueryBoundary>
  );
}
