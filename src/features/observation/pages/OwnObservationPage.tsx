import { Trans, useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { observationPages } from '../contract/pages.ts';
import { visitApi } from '../contract/visit.ts';
import { visitKinds } from './visit-kinds.ts';

/** /school-erp/staff-observation/own-observation: announced visits to the user’s lessons, and shared reports. */
export function OwnObservationPage() {
  const { t } = useLingui();
  const own = useRead(visitApi.own, {});
  return (
    <>
      <PageHead title={translate(observationPages[6].title)} />
      <QueryBoundary query={own}>
        {(visits) =>
          visits.length === 0 ? (
            <EmptyState message={<Trans>No visits to your lessons yet.</Trans>} />
          ) : (
            <CardTable
              caption={t`Visits to your lessons`}
              heads={[t`Date`, t`Observer`, t`Section`, t`Score`, t`State`]}
              rows={visits.map(({ id, at, observer, section, state, score }) => ({
                key: id,
                cells: [
                  state === 'Scheduled' ? (
                    showMoment(at)
                  ) : (
                    <PageLink
                      key="day"
                      to="/school-erp/staff-observation/staff-observation-list/$visitID"
                      params={{ visitID: String(id) }}
                    >
                      {showMoment(at)}
                    </PageLink>
                  ),
                  observer,
                  section,
                  score,
                  <Status key="state" kind={visitKinds[state]}>
                    {translateOption(state)}
                  </Status>,
                ],
              }))}
            />
          )
        }
      </QueryBoundary>
    </>
  );
}
