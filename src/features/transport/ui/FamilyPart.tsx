import { Trans, useLingui } from '@lingui/react/macro';
import { Block } from '#features/family/ui/Block.tsx';
import type { FamilyPartView, TodayProps } from '#features/family/ui/part.ts';
import type { FamilyRide } from '../contract/family.ts';
import styles from './FamilyBus.module.css';

interface Props {
  value: readonly FamilyRide[];
  childId: number;
}

/** How a child rides today. */
function OfChild({ value, childId }: Props) {
  const { t } = useLingui();
  const own = value.find(({ studentId }) => studentId === childId);
  if (!own) return null;
  const { route, ways } = own;
  const words = { pickup: t`Morning`, drop: t`Afternoon` };
  const vehicles = [
    ...new Set(
      ways.flatMap(({ vehicle, insteadOf }) => {
        if (vehicle === '') return [];
        return insteadOf ? t`${vehicle} today instead of ${insteadOf}` : vehicle;
      }),
    ),
  ].join(', ');
  return (
    <Block title={<Trans>Bus</Trans>} aside={route}>
      {ways.length === 0 ? (
        <p>
          <Trans>Stop and time are shown to the adults who may collect the child.</Trans>
        </p>
      ) : (
        <dl className={styles.bus}>
          {ways.map(({ trip, time, stop, isNone }) => (
            <FactPair key={trip} term={words[trip]} text={isNone ? t`No bus today` : `${time} ${stop}`} />
          ))}
          {vehicles && <FactPair term={t`Vehicle`} text={vehicles} />}
        </dl>
      )}
    </Block>
  );
}

/** The times of today's rides, and what differs from usual. */
function Lines({ value, child: { id } }: TodayProps<readonly FamilyRide[]>) {
  const { t } = useLingui();
  const own = value.find(({ studentId }) => studentId === id);
  if (!own || own.isDayOff) return null;
  const { ways } = own;
  const none = { pickup: t`No bus to school today`, drop: t`No bus home today` };
  const times = ways.flatMap(({ time, isNone }) => (isNone || !time ? [] : [time])).join(' · ');
  const others = ways.map(({ trip, vehicle, insteadOf, isNone }) => {
    if (isNone) return none[trip];
    return insteadOf ? t`${vehicle} today instead of ${insteadOf}` : '';
  });
  return (
    <>
      {times && (
        <p>
          <Trans>Bus at {times}</Trans>
        </p>
      )}
      {[...new Set(others.filter(Boolean))].map((words) => (
        <p key={words}>{words}</p>
      ))}
    </>
  );
}

const FactPair = ({ term, text }: { term: string; text: string }) => (
  <>
    <dt>{term}</dt>
    <dd>{text}</dd>
  </>
);

export const familyPart = { key: 'transport', place: 5, Today: { place: 2, Lines }, OfChild } satisfies FamilyPartView<
  readonly FamilyRide[]
>;
