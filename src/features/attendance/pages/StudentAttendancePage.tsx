import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconCheck, IconCloudOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Row, Text } from '#kit/browser/ui/Layout.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { SearchLink } from '#kit/browser/ui/PageLink.tsx';
import { type Shortcut, ShortcutList } from '#kit/browser/ui/ShortcutList.tsx';
import { showMoment, showTime } from '#kit/browser/ui/show.ts';
import { TwoVersions } from '#kit/browser/ui/TwoVersions.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { useMedia } from '#kit/browser/ui/use-media.ts';
import { showDate, toLocalTime } from '#kit/contract/day.ts';
import { leaveApi } from '../contract/leave.ts';
import { type RegisterChild, type RegisterSheet, registerApi, type Slot, slots } from '../contract/register.ts';
import { CorrectionForm } from './CorrectionForm.tsx';
import { DayNav } from './DayNav.tsx';
import { LeaveForm } from './LeaveForm.tsx';
import { MoreMarks } from './MoreMarks.tsx';
import { RegisterGrid } from './RegisterGrid.tsx';
import styles from './StudentAttendancePage.module.css';
import { SubmitDialog } from './SubmitDialog.tsx';
import { isMarked, type Mark, useRegister } from './use-register.ts';

/** /school-erp/attendance/student-attendance: the register of a section on a day. */
export function StudentAttendancePage() {
  const { address, go } = useListAddress();
  const { section = '', day = '' } = address;
  // An open register is not replaced by the afternoon's at noon.
  const [opened, setOpened] = useState<{ section: string; day: string; slot: Slot }>();
  const kept = opened?.section === section && opened.day === day ? opened.slot : '';
  const slot = slots.find((one) => one === address.slot) ?? kept;
  const query = useReadList(registerApi.read, { sectionId: section, day, slot });
  const { data, isPlaceholderData } = query;
  useEffect(() => {
    if (data && data.slots.length > 1 && !isPlaceholderData) setOpened({ section, day, slot: data.slot });
  }, [data, isPlaceholderData, section, day]);
  return (
    <div className={styles.page}>
      <QueryBoundary query={query}>
        {(sheet) => (
          <>
            <Head
              sheet={sheet}
              onSection={(section) => go({ ...address, section })}
              onDay={(day) => go({ section: String(sheet.section?.id ?? ''), day: day === sheet.today ? '' : day })}
            />
            <Sheet key={`${sheet.section?.id} ${sheet.day} ${sheet.slot}`} sheet={sheet} />
          </>
        )}
      </QueryBoundary>
    </div>
  );
}

interface HeadProps {
  sheet: RegisterSheet;
  onSection: (id: string) => void;
  onDay: (day: string) => void;
}

function Head({ sheet, onSection, onDay }: HeadProps) {
  const { t } = useLingui();
  const { sections, section, register, day, today } = sheet;
  const waiting = sections.filter(({ id, isOwn, takenAt }) => isOwn && !takenAt && id !== section?.id);
  const options = section && !sections.some(({ id }) => id === section.id) ? [section, ...sections] : sections;
  return (
    <PageHead title={t`Student Attendance`}>
      <Row gap="8 12" align="center" wrap className={styles.line}>
        {options.length > 0 && (
          <select
            className="box"
            aria-label={t`Section`}
            value={String(section?.id ?? '')}
            onChange={(event) => onSection(event.currentTarget.value)}
          >
            {options.map(({ id, name }) => (
              <option key={id} value={String(id)}>
                {name}
              </option>
            ))}
          </select>
        )}
        <DayNav day={day} today={today} onDay={onDay} />
        {sheet.slots.length > 1 && <Slots sheet={sheet} />}
        {/* Of two registers, the choice shows which one is taken, in one line with the rest. */}
        {section && (register || sheet.slots.length < 2) && (
          <span className={register ? undefined : styles.open}>
            <Chip kind={register ? (register.isLocked ? 'info' : 'good') : 'plain'}>
              {!register
                ? t`Not taken`
                : register.isLocked
                  ? t`Locked`
                  : t`Taken ${showTime(register.takenAt)} by ${register.takenBy}`}
            </Chip>
          </span>
        )}
        {waiting.length > 0 && (
          <Row as="span" inline gap="4 12" align="center" wrap className={styles.mine}>
            <Trans>Not taken yet:</Trans>
            {waiting.map(({ id, name, slot }) => (
              <SearchLink key={id} search={addressOf(id, sheet, slot)}>
                {slot === 'Full day' ? name : [name, translateOption(slot)].join(', ')}
              </SearchLink>
            ))}
          </Row>
        )}
      </Row>
    </PageHead>
  );
}

const addressOf = (id: number, { day, today }: RegisterSheet, slot: Slot) => ({
  section: String(id),
  ...(day !== today && { day }),
  ...(slot !== 'Full day' && { slot }),
});

/** The two registers of a day. */
function Slots({ sheet }: { sheet: RegisterSheet }) {
  const { t } = useLingui();
  const { address } = useListAddress();
  // The one that was chosen, also while it loads.
  const current = sheet.slots.find(({ slot }) => slot === address.slot)?.slot ?? sheet.slot;
  return (
    <Row as="nav" inline className={styles.slots} aria-label={t`Registers of the day`}>
      {sheet.slots.map(({ slot, isTaken }) => (
        <SearchLink
          key={slot}
          search={addressOf(sheet.section?.id ?? 0, sheet, slot)}
          activeProps={{ 'aria-current': undefined }}
          aria-current={slot === current ? 'page' : undefined}
        >
          {translateOption(slot)}
          {isTaken && <IconCheck size={14} aria-label={t`taken`} />}
        </SearchLink>
      ))}
    </Row>
  );
}

/** The register, or the reason for its absence. */
function Sheet({ sheet }: { sheet: RegisterSheet }) {
  const { section, school, day, children, register } = sheet;
  if (!section)
    return sheet.sections.length === 0 ? (
      <EmptyState message={<Trans>You have no section on {showDate(day)}.</Trans>}>
        <p>
          <Trans>An Admin assigns sections in Section Teacher Mapping.</Trans>
        </p>
      </EmptyState>
    ) : (
      <EmptyState message={<Trans>Choose a section.</Trans>} />
    );
  if (school?.work === 0 && !register) {
    const what = school.name || translateOption(school.kind);
    return (
      <EmptyState
        message={
          <Trans>
            No school on {showDate(day)}: {what}.
          </Trans>
        }
      >
        {sheet.dayAfter &&
          (sheet.dayAfter <= sheet.today ? (
            <SearchLink
              search={{ section: String(section.id), ...(sheet.dayAfter !== sheet.today && { day: sheet.dayAfter }) }}
            >
              <Trans>Open the next school day, {showDate(sheet.dayAfter)}</Trans>
            </SearchLink>
          ) : (
            <p>
              <Trans>The next school day is {showDate(sheet.dayAfter)}.</Trans>
            </p>
          ))}
      </EmptyState>
    );
  }
  if (sheet.codes.every(({ isOffered, kind }) => !isOffered || kind !== 'Present'))
    return <EmptyState message={<Trans>No active attendance code means present. Ask an Admin to add one.</Trans>} />;
  if (children.length === 0)
    return (
      <EmptyState
        message={
          <Trans>
            No students in {section.name} on {showDate(day)}.
          </Trans>
        }
      />
    );
  return <Taking sheet={sheet} />;
}

function Taking({ sheet }: { sheet: RegisterSheet }) {
  const { t } = useLingui();
  const show = useToast();
  const undo = useAction(registerApi.undo);
  const lock = useAction(registerApi.lock);
  const [opened, setOpened] = useState<'submit' | 'keys' | RegisterChild | { leaveOf: RegisterChild }>();
  const sectionName = sheet.section?.name ?? '';
  const register = useRegister(sheet, (id, version) => {
    show({
      kind: 'success',
      title: t`Register of ${sectionName} submitted`,
      ...(version === 1 && { actions: [{ label: t`Undo`, act: () => void undo.run({ id, rowVersion: 1 }) }] }),
    });
  });
  const { differences, codeOf, markOf } = register;
  const codeName = (mark: Mark) =>
    [sheet.codes.find(({ id }) => id === mark.codeId)?.name, mark.arrivedAt].filter(Boolean).join(' ');
  const ask = () => sheet.mayTake && register.isChanged && !register.isBusy && setOpened('submit');
  const close = () => setOpened(undefined);
  const mayNote = useMay(leaveApi.note);
  const offered = sheet.codes.filter(({ isOffered }) => isOffered);
  const keys = useKeys(offered);
  return (
    <>
      {differences.length > 0 && (
        <TwoVersions
          differences={differences.map(({ child, theirs, mine }) => ({
            label: [child.rollNo, child.name].filter(Boolean).join(' '),
            saved: codeName(theirs),
            mine: codeName(mine),
          }))}
          onSaved={register.takeTheirs}
          onMine={register.keepMine}
        />
      )}
      <RegisterGrid
        sheet={sheet}
        register={register}
        onEnter={ask}
        onMore={setOpened}
        onCorrect={sheet.mayCorrect ? setOpened : undefined}
        onKeys={() => setOpened('keys')}
      />
      <div className={styles.foot}>
        <Row gap="12 20" align="center" line="above" className={styles.bar}>
          <Counts register={register} />
          <div className={styles.problem}>
            {register.problem}
            {undo.problem}
            {lock.problem}
          </div>
          {register.undoChange && (
            <Button onClick={register.undoChange}>
              <Trans>Undo</Trans> <kbd>{t`Ctrl Z`}</kbd>
            </Button>
          )}
          {sheet.mayLock && !register.isKept && (
            <ConfirmButton
              name={t`Lock the register of ${sectionName} now`}
              label={<Trans>Lock now</Trans>}
              question={<Trans>Lock this register now? After that only an approved correction changes it.</Trans>}
              confirm={<Trans>Lock now</Trans>}
              onConfirm={() => void lock.run({ id: sheet.register?.id ?? 0, rowVersion: sheet.register?.version ?? 0 })}
            />
          )}
          {sheet.mayUndo && !register.isKept && (
            <Button
              isBusy={undo.isBusy}
              onClick={() => void undo.run({ id: sheet.register?.id ?? 0, rowVersion: sheet.register?.version ?? 0 })}
            >
              <Trans>Undo submission</Trans>
            </Button>
          )}
          {sheet.mayTake && register.isChanged && (
            <Button kind="main" isBusy={register.isBusy} onClick={ask}>
              {register.isWaiting ? (
                <Trans>Submit when connected</Trans>
              ) : sheet.register ? (
                <Trans>Submit changes</Trans>
              ) : (
                <Trans>Submit register</Trans>
              )}{' '}
              <kbd>{t`Enter`}</kbd>
            </Button>
          )}
        </Row>
        {register.isWaiting ? (
          <Row as="p" gap="4 8" align="center" wrap role="status" line="above" className={styles.away}>
            <IconCloudOff size={16} aria-hidden />
            <Trans>Not connected. The register is kept on this device and is sent when the connection is back.</Trans>
          </Row>
        ) : !sheet.mayTake ? (
          <Row as="p" gap="4 8" align="center" wrap line="above" className={styles.keys}>
            {sheet.register?.isLocked ? (
              <>
                <Trans>This register was locked on {showMoment(sheet.register.locksAt)}.</Trans>{' '}
                {sheet.mayCorrect && <Trans>Tap a mark to ask for a correction.</Trans>}
              </>
            ) : (
              <Trans>You can read this register. The class teacher or the office takes it.</Trans>
            )}
          </Row>
        ) : (
          <Row as="p" gap="4 8" align="center" wrap line="above" className={styles.keys} aria-hidden>
            <kbd>0–9</kbd> {t`roll no`}{' '}
            {offered.map(({ id, key }) => (
              <kbd key={id}>{key}</kbd>
            ))}{' '}
            {t`mark`} <kbd>{t`Space`}</kbd> {t`present or absent`} <kbd>/</kbd> {t`name`} <kbd>{t`Enter`}</kbd>{' '}
            {t`submit`} <kbd>?</kbd> {t`all keys`}
          </Row>
        )}
      </div>
      {opened === 'submit' && <SubmitDialog sheet={sheet} register={register} onClose={close} />}
      {opened === 'keys' && <ShortcutList keys={keys} onClose={close} />}
      {typeof opened === 'object' && 'studentId' in opened && sheet.mayCorrect && sheet.section && (
        <CorrectionForm section={sheet.section} student={opened} day={sheet.day} slot={sheet.slot} onClose={close} />
      )}
      {typeof opened === 'object' && 'studentId' in opened && !sheet.mayCorrect && (
        <MoreMarks
          child={opened}
          codes={offered}
          chosen={codeOf(opened)}
          onChoose={(code) =>
            register.change(opened, {
              codeId: code.id,
              arrivedAt: code.needsTime ? markOf(opened).arrivedAt || toLocalTime(new Date()) : '',
            })
          }
          onLeave={mayNote ? () => setOpened({ leaveOf: opened }) : undefined}
          onClose={() => setOpened((now) => (now === opened ? undefined : now))}
        />
      )}
      {typeof opened === 'object' && 'leaveOf' in opened && (
        <LeaveForm student={opened.leaveOf} day={sheet.day} onClose={close} />
      )}
    </>
  );
}

function useKeys(codes: readonly RegisterSheet['codes'][number][]): Shortcut[] {
  const { t } = useLingui();
  return [
    [['0–9'], t`Go to a roll number`],
    ...codes.map(({ key, name }): Shortcut => [[key], t`${name}, and the next student`]),
    [['Space'], t`Present or absent`],
    [['Backspace'], t`Present`],
    [['↑', '↓', '←', '→'], t`Go to another student`],
    [['Shift', '↑'], t`Choose several students; a letter marks all of them`],
    [['/'], t`Find a student by name`],
    [['Ctrl', 'Z'], t`Undo the last mark`],
    [['Enter'], t`Submit the register`],
  ];
}

function Counts({ register }: { register: ReturnType<typeof useRegister> }) {
  const children = register.children.filter(isMarked);
  const kindOf = (child: RegisterChild) => register.codeOf(child)?.kind;
  const count = (kind: string) => children.filter((child) => kindOf(child) === kind).length;
  const [absent, late, leave, half, duty] = [
    count('Absent'),
    count('Late'),
    count('Leave'),
    count('Half day'),
    count('On duty'),
  ];
  // A phone has room for first names.
  const isPhone = useMedia('(max-width: 767px)');
  const inClass = children.length - absent - leave - duty;
  return (
    <div className={styles.counts}>
      <Row as="p" gap="0 12" wrap>
        <strong>
          <Trans>
            {inClass} of {children.length} in class
          </Trans>
        </strong>
        {absent > 0 && (
          <span data-kind="Absent">
            <Plural value={absent} one="# absent" other="# absent" />
          </span>
        )}
        {late > 0 && (
          <span data-kind="Late">
            <Plural value={late} one="# late" other="# late" />
          </span>
        )}
        {half > 0 && (
          <span data-kind="Half day">
            <Plural value={half} one="# half day" other="# half days" />
          </span>
        )}
        {leave > 0 && (
          <span data-kind="Leave">
            <Plural value={leave} one="# on leave" other="# on leave" />
          </span>
        )}
        {duty > 0 && (
          <span data-kind="On duty">
            <Plural value={duty} one="# on duty" other="# on duty" />
          </span>
        )}
      </Row>
      {absent > 0 && (
        <Text breaks="ellipsis" className={styles.names}>
          <Trans>Absent:</Trans>{' '}
          <b>
            {children
              .filter((child) => kindOf(child) === 'Absent')
              .map(({ rollNo, name }) => [rollNo, isPhone ? name.split(' ')[0] : name].filter(Boolean).join(' '))
              .join(' · ')}
          </b>
        </Text>
      )}
    </div>
  );
}
