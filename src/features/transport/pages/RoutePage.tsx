import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { FieldControls, TickRow } from '#kit/browser/form/FieldControl.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { typedOf } from '#kit/browser/record/versions.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { HistoryButton } from '#kit/browser/ui/HistoryButton.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { changeableFields, type Route, routeApi, routeList } from '../contract/route.ts';
import { addedDays } from './days.ts';
import { RouteStops } from './RouteStops.tsx';
import { RouteTrips } from './RouteTrips.tsx';

/** /school-erp/transport/route/{routeID}: the stops of a route with their times, and its trips. */
export function RoutePage() {
  const { routeID } = useParams({ strict: false }) as { routeID: string };
  const { t } = useLingui();
  const route = useRead(routeApi.read, { id: routeID });
  return (
    <>
      {route.error && !route.data && <PageHead title={t`Route`} />}
      <QueryBoundary query={route}>{(found) => <Record key={found.id} route={found} />}</QueryBoundary>
    </>
  );
}

function Record({ route }: { route: Route }) {
  const { t } = useLingui();
  const [isHistory, setHistory] = useState(false);
  return (
    <>
      <RecordPage
        title={route.name}
        of={{ list: routeList, id: route.id, page: '/school-erp/transport/route', title: t`Routes` }}
        about={[route.code, translateOption(route.direction), route.branch].join(' · ')}
        chips={!route.isActive && <Status kind="plain">{t`Inactive`}</Status>}
        actions={
          <>
            <HistoryButton name={route.name} onOpen={() => setHistory(true)} />
            {route.may.change && <Acts route={route} />}
          </>
        }
        parts={[
          {
            key: 'stops',
            title: t`Stops and trips`,
            cards: [<RouteStops key="stops" route={route} />, <RouteTrips key="trips" route={route} />],
          },
        ]}
      />
      {isHistory && (
        <HistoryDialog
          endpoint={routeApi.history}
          id={route.id}
          displayName={route.name}
          onClose={() => setHistory(false)}
        />
      )}
    </>
  );
}

function Acts({ route }: { route: Route }) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  const { id, version, partnerId, plans, today } = route;
  const open = (routeId: number) =>
    navigate({ to: '/school-erp/transport/route/$routeID', params: { routeID: String(routeId) } });
  return (
    <>
      {partnerId !== null && (
        <Button onClick={() => open(partnerId)}>
          <Trans>Other direction</Trans>
        </Button>
      )}
      {plans.length > 0 && (
        <FormOpener title={t`Reverse ${route.name}`} label={<Trans>Reverse</Trans>} kind="plain">
          {(onClose) => (
            <RecordForm
              title={t`Reverse the route`}
              about={t`The other direction gets these stops in reverse order, with the same minutes between them.`}
              endpoint={routeApi.reverse}
              initial={{ effectiveFrom: partnerId === null ? (plans[0]?.effectiveFrom ?? today) : addedDays(today, 1) }}
              hiddenValues={{ id, version }}
              words={<Trans>Reverse</Trans>}
              onDone={(made) => open(made.id)}
              onClose={onClose}
            >
              <DateField name="effectiveFrom" />
            </RecordForm>
          )}
        </FormOpener>
      )}
      <FormOpener title={t`Change ${route.name}`} label={<Trans>Change</Trans>} kind="plain">
        {(onClose) => (
          <RecordForm
            title={t`Change route`}
            endpoint={routeApi.update}
            initial={{ ...typedOf(changeableFields, route), isActive: route.isActive }}
            hiddenValues={{ id, version }}
            onClose={onClose}
          >
            <FieldControls fields={changeableFields} />
            <TickRow name="isActive" />
          </RecordForm>
        )}
      </FormOpener>
    </>
  );
}
