import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Row, Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { useSingleKeys } from '#kit/browser/ui/use-single-keys.ts';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { toLocalTime } from '#kit/contract/day.ts';
import {
  type StaffDay as Day,
  type PresenceKind,
  type PresentPerson,
  presenceApi,
  presenceKinds,
} from '../contract/presence.ts';
import styles from './StaffDay.module.css';

/** The key of each mark, which is its letter too. */
const keyOf: Readonly<Record<PresenceKind, string>> = {
  Present: 'P',
  Absent: 'A',
  Late: 'L',
  'Half day': 'H',
  'On duty': 'D',
};

/** The most marks that are sent at once. */
const mostAtOnce = 300;
/** How long typed digits belong to one employee number. */
const patience = 1200;

interface Mark {
  kind: PresenceKind | '';
  inAt: string;
}

/** The presence of the staff on a day, marked by single keys, mouse or touch. */
export function StaffDay({ day }: { day: string }) {
  const query = useReadList(presenceApi.read, { day });
  return <QueryBoundary query={query}>{(found) => <People key={found.day} of={found} />}</QueryBoundary>;
}

/** Marks that are not sent yet stand over those that were read; one request follows the other. */
function useMarks({ day, people }: Day) {
  const { run, isBusy, problem } = useAction(presenceApi.mark, { onRefused: () => setWaiting(new Map()) });
  const [waiting, setWaiting] = useState<ReadonlyMap<number, Mark>>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: only marks that wait are a reason to send.
  useEffect(() => {
    if (waiting.size === 0 || isBusy) return;
    const sent = [...waiting].slice(0, mostAtOnce);
    const marks = sent.map(([staffId, mark]) => {
      const person = people.find((one) => one.staffId === staffId);
      return { staffId, ...mark, note: person?.note ?? '', version: person?.version ?? 0 };
    });
    void run({ day, marks }).then(
      (answer) =>
        answer &&
        setWaiting(
          (before) =>
            new Map([...before].filter(([id, mark]) => !sent.some(([own, was]) => own === id && was === mark))),
        ),
    );
  }, [waiting, isBusy]);
  return {
    problem,
    markOf: (person: PresentPerson): Mark => waiting.get(person.staffId) ?? { kind: person.kind, inAt: person.inAt },
    mark: (marks: readonly (readonly [number, Mark])[]) => setWaiting((before) => new Map([...before, ...marks])),
  };
}

const isAway = ({ away }: PresentPerson) => away.some((why) => why !== '');

function People({ of: found }: { of: Day }) {
  const { t } = useLingui();
  const { people, mayMark, day, today } = found;
  const { markOf, mark, problem } = useMarks(found);
  const part = useRef<HTMLElement>(null);
  const typed = useRef({ digits: '', at: 0 });
  const [current, setCurrent] = useState(0);
  const [said, say] = useState('');
  const rest = people.filter((person) => markOf(person).kind === '' && !isAway(person) && person.works !== '');
  const go = (index: number) => {
    const next = Math.max(0, Math.min(index, people.length - 1));
    setCurrent(next);
    part.current?.querySelectorAll<HTMLElement>('[data-person]')[next]?.focus();
  };
  const set = (person: PresentPerson, kind: PresenceKind) => {
    if (!mayMark) return;
    const isSame = markOf(person).kind === kind;
    mark([
      [
        person.staffId,
        { kind: isSame ? '' : kind, inAt: kind === 'Late' && !isSame && day === today ? toLocalTime(new Date()) : '' },
      ],
    ]);
    const [who, what] = [person.name, isSame ? t`no mark` : translateOption(kind)];
    say(t`${who}: ${what}`);
  };
  const seek = (digit: string) => {
    const now = Date.now();
    const digits = now - typed.current.at < patience ? typed.current.digits + digit : digit;
    typed.current = { digits, at: now };
    const index = people.findIndex(({ number }) => number.endsWith(digits));
    if (index >= 0) go(index);
  };
  useSingleKeys(part, ({ key }) => {
    const person = people[current];
    if (!person) return undefined;
    if (/^[0-9]$/.test(key)) return () => seek(key);
    if (key === 'ArrowDown') return () => go(current + 1);
    if (key === 'ArrowUp') return () => go(current - 1);
    const kind = presenceKinds.find((one) => keyOf[one] === key.toUpperCase());
    if (!kind || !mayMark) return undefined;
    return () => {
      set(person, kind);
      go(current + 1);
    };
  });
  if (people.length === 0) return <EmptyState message={<Trans>No staff work on this day.</Trans>} />;
  const count = (kind: PresenceKind) => people.filter((person) => markOf(person).kind === kind).length;
  const [present, absent, away] = [count('Present') + count('Late'), count('Absent'), people.filter(isAway).length];
  return (
    <section ref={part} tabIndex={-1} aria-label={t`Staff`}>
      <Row gap="8 16" align="center" wrap mt={12} mb={12}>
        <Text as="span">
          <Trans>
            {present} of {people.length} present · {absent} absent · {away} on leave
          </Trans>
        </Text>
        {mayMark && rest.length > 0 && (
          <Button onClick={() => mark(rest.map(({ staffId }) => [staffId, { kind: 'Present', inAt: '' }] as const))}>
            {t`${plural(rest.length, { one: 'Mark the other one present', other: 'Mark the rest (#) present' })}`}
          </Button>
        )}
        {problem}
      </Row>
      <Stack as="ol">
        {people.map((person, index) => {
          const own = markOf(person);
          const what = own.kind === '' ? t`no mark` : translateOption(own.kind);
          const [first = '', second = ''] = person.away;
          const leave =
            first && second
              ? translateOption(first)
              : first
                ? t`${translateOption(first)}, first half`
                : second && t`${translateOption(second)}, second half`;
          const came = person.inAt && person.outAt && t`was there ${person.inAt}–${person.outAt}`;
          const works = person.works === 'Whole day' ? '' : person.works === '' ? t`day off` : t`first half only`;
          return (
            <Row
              as="li"
              key={person.staffId}
              data-person
              tabIndex={index === current ? 0 : -1}
              aria-label={t`${person.name}, ${what}`}
              gap="4 16"
              align="center"
              wrap
              className={styles.person}
              onFocus={() => setCurrent(index)}
            >
              <Stack as="span" className={styles.who}>
                <Text as="span" weight={600}>
                  {person.name}
                </Text>
                <Text as="span" tone="soft" size={13}>
                  {[person.number, person.post, person.starts && t`from ${person.starts}`, works, came, person.note]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
                {leave && (
                  <Text as="span" tone="warn" size={13}>
                    {leave}
                  </Text>
                )}
              </Stack>
              {own.kind === 'Late' && (
                <input
                  type="time"
                  key={own.inAt}
                  className={`box ${styles.time}`}
                  aria-label={t`Time of arrival of ${person.name}`}
                  disabled={!mayMark}
                  defaultValue={own.inAt}
                  onBlur={({ currentTarget: { value } }) =>
                    value !== own.inAt && mark([[person.staffId, { kind: 'Late', inAt: value }]])
                  }
                />
              )}
              <Row as="span" gap={4} className={styles.marks}>
                {presenceKinds.map((kind) => {
                  const word = translateOption(kind);
                  return (
                    <button
                      key={kind}
                      type="button"
                      tabIndex={-1}
                      disabled={!mayMark}
                      aria-label={t`${person.name}: ${word}`}
                      aria-pressed={own.kind === kind}
                      title={word}
                      onClick={() => set(person, kind)}
                    >
                      {keyOf[kind]}
                    </button>
                  );
                })}
              </Row>
            </Row>
          );
        })}
      </Stack>
      <VisuallyHidden as="p" role="status">
        {said}
      </VisuallyHidden>
    </section>
  );
}
