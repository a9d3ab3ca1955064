import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconArrowDown, IconArrowUp, IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { useRead } from '#kit/browser/data/read.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { focusOn } from '#kit/browser/form/ErrorSummary.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { useDragging, type Way } from '#kit/browser/list/use-dragging.ts';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Grid, Row, Stack } from '#kit/browser/ui/Layout.tsx';
import { showDate } from '#kit/contract/day.ts';
import { stopMaster } from '../contract/masters.ts';
import { type Route, type RoutePlan, routeApi } from '../contract/route.ts';
import { addedDays } from './days.ts';
import { RidersForm } from './RidersForm.tsx';
import styles from './RouteStops.module.css';
import { later } from './times.ts';

/** The stops of a route by plan, with the clock time of each trip. */
export function RouteStops({ route }: { route: Route }) {
  const { t } = useLingui();
  const [isEditing, setEditing] = useState(false);
  const { plans, today, may } = route;
  return (
    <RecordCard
      title={t`Stops`}
      isWide
      actions={
        may.change && (
          <Button kind="quiet" onClick={() => setEditing(true)}>
            {plans.length === 0 ? <Trans>Add stops</Trans> : <Trans>Change stops</Trans>}
          </Button>
        )
      }
    >
      {plans.length === 0 && <EmptyState message={<Trans>Add stops first, then give the route its trips.</Trans>} />}
      {plans.map((plan, place) => (
        <div key={plan.id}>
          {(place > 0 || plan.effectiveFrom > today) && (
            <h3>
              <Trans>From {showDate(plan.effectiveFrom)}</Trans>
            </h3>
          )}
          <PlanTable route={route} plan={plan} />
        </div>
      ))}
      {isEditing && <StopsForm route={route} onClose={() => setEditing(false)} />}
    </RecordCard>
  );
}

function PlanTable({ route, plan }: { route: Route; plan: RoutePlan }) {
  const { t } = useLingui();
  const { trips } = route;
  return (
    <CardTable
      caption={<Trans>Stops of {route.name}</Trans>}
      heads={[t`Stop`, ...trips.map(({ slot }) => slot), ...(trips.length === 0 ? [t`Minutes`] : []), t`Riders`]}
      rows={plan.stops.map(({ stopId, name, offsetMin, riders }) => ({
        key: stopId,
        cells: [
          name,
          ...trips.map(({ starts }) => later(starts, offsetMin)),
          ...(trips.length === 0 ? [String(offsetMin)] : []),
          String(riders),
        ],
      }))}
    />
  );
}

interface TypedStop {
  id: number;
  stopId: string;
  offsetMin: string;
}

const typedStops = (plan: RoutePlan | undefined): TypedStop[] =>
  (plan?.stops ?? []).map(({ stopId, offsetMin }, place) => ({
    id: place,
    stopId: String(stopId),
    offsetMin: String(offsetMin),
  }));

/** The order and minutes of the stops from a day on; riders whose time changes are shown before it is applied. */
function StopsForm({ route, onClose }: { route: Route; onClose: () => void }) {
  const { t } = useLingui();
  const { id, version, name, plans, today } = route;
  const isNew = plans.length === 0;
  return (
    <RidersForm
      title={t`Stops of ${name}`}
      endpoint={routeApi.plan}
      initial={{
        effectiveFrom: isNew ? '' : addedDays(today, 1),
        stops: isNew ? [emptyStop(0), emptyStop(1)] : typedStops(plans.at(-1)),
      }}
      hiddenValues={{ id, version }}
      question={t`Change the times of riders?`}
      effect={(count) => <Plural value={count} one="# rider gets another time." other="# riders get another time." />}
      saved={t`Stops of ${name} saved.`}
      onClose={onClose}
    >
      <DateField name="effectiveFrom" />
      <StopRows />
    </RidersForm>
  );
}

const emptyStop = (id: number): TypedStop => ({ id, stopId: '', offsetMin: id === 0 ? '0' : '' });

function StopRows() {
  const { t } = useLingui();
  const { values, change, errors } = useApiForm();
  const { data: stops = [] } = useRead(stopMaster.api.options, {});
  const rows = values.stops as TypedStop[];
  const set = (place: number, over: Partial<TypedStop>, field: keyof TypedStop) =>
    change(
      'stops',
      rows.map((row, index) => (index === place ? { ...row, ...over } : row)),
      `stops.${place}.${field}`,
    );
  // The minutes belong to the place, not to the stop that moves.
  const reorder = (from: number, to: number) => {
    const order = rows.map(({ id, stopId }) => ({ id, stopId }));
    const [moved] = order.splice(from, 1);
    if (!moved || to < 0 || to > order.length) return;
    order.splice(to, 0, moved);
    flushSync(() =>
      change(
        'stops',
        order.map((row, place) => ({ ...row, offsetMin: rows[place]?.offsetMin ?? '' })),
      ),
    );
    focusOn(`stops.${to}.stopId`);
  };
  const move = (row: TypedStop, to: Way) => {
    const from = rows.findIndex(({ id }) => id === row.id);
    reorder(from, to === 'up' ? from - 1 : to === 'down' ? from + 1 : rows.findIndex(({ id }) => id === to));
  };
  const { inOrder, draggingOf } = useDragging(rows, move);
  const add = () => {
    const next = Math.max(-1, ...rows.map(({ id }) => id)) + 1;
    flushSync(() => change('stops', [...rows, emptyStop(next)]));
    focusOn(`stops.${rows.length}.stopId`);
  };
  return (
    <fieldset className="question">
      <legend>
        <Trans>Stops in order, with the minutes after the start</Trans>
      </legend>
      <ErrorText id="stops-error" error={errors.stops} />
      <Stack as="ol" className={styles.rows}>
        {inOrder.map((row) => {
          const place = rows.indexOf(row);
          const number = place + 1;
          const dragging = draggingOf(row, String(number));
          const onKeyDown = (event: KeyboardEvent) => {
            if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
            event.preventDefault();
            move(row, event.key === 'ArrowUp' ? 'up' : 'down');
          };
          return (
            <Grid as="li" align="center" key={row.id} {...dragging} onKeyDown={onKeyDown}>
              <select
                className="box"
                name={`stops.${place}.stopId`}
                id={`stops.${place}.stopId`}
                aria-label={t`Stop ${number}`}
                aria-invalid={Boolean(errors[`stops.${place}.stopId`])}
                aria-describedby={errors[`stops.${place}.stopId`] && `stops.${place}.error`}
                value={row.stopId}
                onChange={({ currentTarget: { value } }) => set(place, { stopId: value }, 'stopId')}
              >
                <option value="">{t`Choose`}</option>
                {stops
                  .filter(({ id, isActive }) => isActive || String(id) === row.stopId)
                  .map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
              </select>
              <input
                className="box"
                name={`stops.${place}.offsetMin`}
                id={`stops.${place}.offsetMin`}
                aria-label={t`Minutes of stop ${number}`}
                aria-invalid={Boolean(errors[`stops.${place}.offsetMin`])}
                aria-describedby={errors[`stops.${place}.offsetMin`] && `stops.${place}.error-2`}
                inputMode="numeric"
                autoComplete="off"
                value={row.offsetMin}
                onChange={({ currentTarget: { value } }) => set(place, { offsetMin: value }, 'offsetMin')}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || place < rows.length - 1) return;
                  event.preventDefault();
                  add();
                }}
              />
              <Row as="span" align="center" className={styles.acts}>
                <IconButton label={t`Move stop ${number} up`} onClick={() => move(row, 'up')} disabled={place === 0}>
                  <IconArrowUp size={16} aria-hidden />
                </IconButton>
                <IconButton
                  label={t`Move stop ${number} down`}
                  onClick={() => move(row, 'down')}
                  disabled={place === rows.length - 1}
                >
                  <IconArrowDown size={16} aria-hidden />
                </IconButton>
                <Button
                  kind="quiet"
                  aria-label={t`Remove stop ${number}`}
                  onClick={() =>
                    change(
                      'stops',
                      rows.filter(({ id }) => id !== row.id),
                    )
                  }
                >
                  <Trans>Remove</Trans>
                </Button>
              </Row>
              <ErrorText id={`stops.${place}.error`} error={errors[`stops.${place}.stopId`]} />
              <ErrorText id={`stops.${place}.error-2`} error={errors[`stops.${place}.offsetMin`]} />
            </Grid>
          );
        })}
      </Stack>
      <Button onClick={add}>
        <IconPlus size={16} aria-hidden /> <Trans>Add stop</Trans>
      </Button>
    </fieldset>
  );
}
