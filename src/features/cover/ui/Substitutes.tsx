import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { Combobox } from '#kit/browser/ui/Combobox.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { focusFirstField } from '#kit/browser/ui/focus.ts';
import { Row, Stack } from '#kit/browser/ui/Layout.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type CoverLine, coverApi } from '../contract/cover.ts';
import styles from './Substitutes.module.css';

/** The classes without a teacher on a day, grouped by absent teacher, each with the teachers who can take it. */
export function Substitutes({ day }: { day: string }) {
  const query = useRead(coverApi.read, { day });
  return (
    <QueryBoundary query={query}>
      {(read) =>
        read.lines.length === 0 ? (
          <EmptyState message={<Trans>Every class has a teacher on {showDate(read.day)}.</Trans>} />
        ) : (
          <Stack gap={24} mt={12}>
            <Row>
              <SheetButton day={read.day} />
            </Row>
            {[...Map.groupBy(read.lines, ({ absentId }) => absentId)].map(([absentId, lines]) => (
              <Absent key={absentId} read={read} lines={lines} />
            ))}
          </Stack>
        )
      }
    </QueryBoundary>
  );
}

function SheetButton({ day }: { day: string }) {
  const { attempt, isBusy, problem } = useAttempt();
  const download = useDownload();
  return (
    <>
      <Button
        isBusy={isBusy}
        onClick={() => attempt(() => download(coverApi.sheet, { day }, `arrangement-${day}.pdf`))}
      >
        <Trans>Print arrangement sheet</Trans>
      </Button>
      {problem}
    </>
  );
}

interface AbsentProps {
  read: OutputOf<typeof coverApi.read>;
  lines: readonly CoverLine[];
}

const lineKey = ({ sectionId, subjectId, fromHalf, cover }: CoverLine) =>
  [sectionId, subjectId, fromHalf, cover?.id].join(' ');

function Absent({ read: { day, today }, lines }: AbsentProps) {
  const { t } = useLingui();
  const show = useToast();
  const { run: give, isBusy, problem } = useAction(coverApi.give);
  const { run: cancel, problem: cancelProblem } = useAction(coverApi.cancel);
  /** The line whose teacher is searched for; `all` for all of them. */
  const [searched, search] = useState<string>();
  const isPast = day < today;
  const [first] = lines;
  const open = lines.filter(({ cover }) => cover === null);
  if (!first) return null;
  const absent = first.absent;

  const givenTo = async (teacher: { id: number; name: string }, own: readonly CoverLine[]) => {
    const made = await give({
      day,
      rows: own.map(({ sectionId, subjectId, absentId, fromHalf, toHalf }) => ({
        ...{ sectionId, subjectId, absentId, fromHalf, toHalf },
        staffId: teacher.id,
      })),
    });
    if (!made) return;
    search(undefined);
    show({
      kind: 'success',
      title: t`${teacher.name} takes ${own.map(placeOf).join(', ')}`,
      actions: [
        {
          label: t`Undo`,
          shortcut: 'Control+Z',
          act: () => void undo(made.ids),
        },
      ],
    });
  };
  // In turn: an act runs one at a time.
  const undo = async (ids: readonly number[]) => {
    for (const id of ids) if (!(await cancel({ id, version: 1 }))) return;
  };
  const placeOf = ({ section, subject }: CoverLine) => `${section} · ${subject || t`Register`}`;
  const halvesOf = ({ fromHalf, toHalf }: CoverLine) =>
    fromHalf === toHalf ? ` · ${fromHalf === 1 ? t`first half` : t`second half`}` : '';
  const searchFor = (line: CoverLine, own: readonly CoverLine[]) => (
    <OtherTeacher day={day} line={line} onChoose={(teacher) => void givenTo(teacher, own)} />
  );
  return (
    <section aria-label={absent}>
      <Row gap="8 16" align="center" wrap mb={8}>
        <h2>
          <Trans>{absent} is away</Trans>
        </h2>
        {open.length > 1 &&
          !isPast &&
          (searched === 'all' ? (
            searchFor(open[0] ?? first, open)
          ) : (
            <Button onClick={() => search('all')}>
              <Trans>All {open.length} to…</Trans>
            </Button>
          ))}
      </Row>
      {problem}
      {cancelProblem}
      <CardTable
        caption={<Trans>Classes of {absent}</Trans>}
        heads={[t`Class`, t`Substitute`]}
        rows={lines.map((line) => ({
          key: lineKey(line),
          cells: [
            placeOf(line) + halvesOf(line),
            line.cover ? (
              <>
                {line.cover.name}{' '}
                {line.cover.isAway ? (
                  <Chip kind="bad">{t`Away`}</Chip>
                ) : line.cover.isNeeded ? null : (
                  <Chip kind="warn">{t`${absent} is there`}</Chip>
                )}
              </>
            ) : isPast ? (
              t`No substitute was given`
            ) : searched === lineKey(line) ? (
              searchFor(line, [line])
            ) : (
              <Row key="candidates" gap="8 8" wrap align="center">
                {line.candidates.map(({ staffId, name, why, covers }, place) => (
                  <Button
                    key={staffId}
                    className={place > 0 ? styles.further : undefined}
                    isBusy={isBusy}
                    title={covers > 0 ? t`${translateOption(why)}, ${covers} this month` : translateOption(why)}
                    aria-label={t`Give ${placeOf(line)} to ${name}`}
                    onClick={() => void givenTo({ id: staffId, name }, [line])}
                  >
                    {name}
                  </Button>
                ))}
                <Button kind="quiet" onClick={() => search(lineKey(line))}>
                  <Trans>Other…</Trans>
                </Button>
              </Row>
            ),
          ],
          ...(line.cover &&
            !isPast && {
              actions: (
                <Button
                  kind="quiet"
                  aria-label={t`Cancel the substitute of ${placeOf(line)}`}
                  onClick={() => line.cover && void cancel({ id: line.cover.id, version: line.cover.version })}
                >
                  <Trans>Cancel</Trans>
                </Button>
              ),
            }),
        }))}
      />
    </section>
  );
}

interface OtherProps {
  day: string;
  line: CoverLine;
  onChoose: (teacher: { id: number; name: string }) => void;
}

/** Finds any teacher for a class. It takes the place of the button that opened it, and its focus. */
function OtherTeacher({ day, line, onChoose }: OtherProps) {
  const { t } = useLingui();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => focusFirstField(place.current), []);
  return (
    <div ref={place}>
      <Combobox
        options={coverApi.teachers}
        given={{ day, sectionId: line.sectionId, subjectId: line.subjectId }}
        without={String(line.absentId)}
        placeholder={t`Teacher`}
        chosen={undefined}
        onChoose={(choice) => {
          if (choice) onChoose({ id: Number(choice.value), name: choice.label });
        }}
      />
    </div>
  );
}
