import { Trans, useLingui } from '@lingui/react/macro';
import { IconAlertTriangle, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { FormOpener } from '#kit/browser/form/RecordForm.tsx';
import { ExportMenu } from '#kit/browser/list/ExportMenu.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { ScrollFrame } from '#kit/browser/ui/ScrollFrame.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import { correctionApi } from '../contract/correction.ts';
import { type MonthChild, type MonthDay, type MonthMatrix, monthApi, shownMarks } from '../contract/month.ts';
import { CorrectionForm } from './CorrectionForm.tsx';
import styles from './MonthWiseAttendancePage.module.css';
import { showPercent, showRate } from './percent.ts';
import { weekdayOf } from './weekday.ts';

/** /school-erp/attendance/month-wise-attendance: the marks of a section in a month, with totals. */
export function MonthWiseAttendancePage() {
  const { address, go } = useListAddress();
  const query = useReadList(monthApi.read, { sectionId: address.section ?? '', month: address.month ?? '' });
  return (
    <QueryBoundary query={query}>
      {(matrix) => (
        <>
          <Head
            matrix={matrix}
            isTotals={address.show === 'totals'}
            onChange={(change) => go({ ...address, section: String(matrix.section?.id ?? ''), ...change })}
          />
          <Matrix matrix={matrix} isTotals={address.show === 'totals'} />
        </>
      )}
    </QueryBoundary>
  );
}

interface HeadProps {
  matrix: MonthMatrix;
  isTotals: boolean;
  onChange: (change: Record<string, string>) => void;
}

function Head({ matrix: { sections, section, month, today, children }, isTotals, onChange }: HeadProps) {
  const { t } = useLingui();
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  return (
    <PageHead title={t`Month Wise Attendance`}>
      <Row gap="8 12" align="center" wrap className={styles.line}>
        {sections.length > 0 && (
          <select
            className="box"
            aria-label={t`Section`}
            value={String(section?.id ?? '')}
            onChange={(event) => onChange({ section: event.currentTarget.value })}
          >
            {sections.map(({ id, name }) => (
              <option key={id} value={String(id)}>
                {name}
              </option>
            ))}
          </select>
        )}
        <Row as="span" inline gap={4} align="center">
          <IconButton label={t`Month before`} onClick={() => onChange({ month: monthAfter(month, -1) })}>
            <IconChevronLeft size={18} aria-hidden />
          </IconButton>
          <strong>{showMonth(month)}</strong>
          <IconButton
            label={t`Month after`}
            disabled={month >= today.slice(0, 7)}
            onClick={() => onChange({ month: monthAfter(month, 1) })}
          >
            <IconChevronRight size={18} aria-hidden />
          </IconButton>
        </Row>
        <select
          className={classNames('box', styles.show)}
          aria-label={t`Show`}
          value={isTotals ? 'totals' : ''}
          onChange={(event) => onChange({ show: event.currentTarget.value })}
        >
          <option value="">{t`Codes and totals`}</option>
          <option value="totals">{t`Totals only`}</option>
        </select>
        {section && children.length > 0 && (
          <ExportMenu
            words={<Trans>Export</Trans>}
            onExport={(as) =>
              attempt(() => download(monthApi.export, { sectionId: String(section.id), month, as }, `attendance.${as}`))
            }
          />
        )}
        {problem}
      </Row>
    </PageHead>
  );
}

/** A month as "Nov 2026". */
const showMonth = (month: string) => showDate(`${month}-01`).replace(/^[0-9]+ /, '');

function monthAfter(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/** Whether a percentage is below a limit, in percent. */
const isBelow = (perMille: number | null, limit: number) => perMille !== null && perMille < 10 * limit;

function Matrix({ matrix, isTotals }: { matrix: MonthMatrix; isTotals: boolean }) {
  const { t } = useLingui();
  const { section, days, children, codes, low, near } = matrix;
  if (!section) return <EmptyState message={<Trans>You have no section in this month.</Trans>} />;
  if (children.length === 0)
    return (
      <EmptyState
        message={
          <Trans>
            No students in {section.name} in {showMonth(matrix.month)}.
          </Trans>
        }
      />
    );
  const kinds = new Map(codes.map(({ code, kind }) => [code, kind]));
  const names = new Map(codes.map(({ code, name }) => [code, name]));
  const working = days.filter(({ work, isPast }) => work > 0 && isPast);
  const taken = working.filter(({ isTaken }) => isTaken).length;
  const below = children.filter(({ totals }) => isBelow(totals.perMille, low)).length;
  const amber = children.filter(({ totals }) => isBelow(totals.perMille, near)).length - below;
  const shown = isTotals ? [] : days;
  const used = codes.filter(({ code }) => children.some(({ marks }) => marks.some((halves) => halves?.includes(code))));
  return (
    <>
      <Row as="p" gap="2 20" wrap mt={4} mb={10} className={styles.facts}>
        <Row as="span" inline gap={4} align="center">
          <Trans>Section</Trans> <b>{showPercent(matrix.perMille)}</b>
        </Row>
        <Row as="span" inline gap={4} align="center">
          <Trans>
            <b>{taken}</b> of {working.length} school days taken
          </Trans>
        </Row>
        {below > 0 && (
          <Row as="span" inline gap={4} align="center" className={styles.below}>
            <IconAlertTriangle size={16} aria-hidden /> {t`${below} below ${low} %`}
          </Row>
        )}
        {amber > 0 && (
          <Row as="span" inline gap={4} align="center" className={styles.amber}>{t`${amber} more below ${near} %`}</Row>
        )}
      </Row>
      <Corrections matrix={matrix} section={section} />
      <ScrollFrame label={t`Attendance of ${section.name}`} className={styles.frame}>
        <table className={styles.matrix}>
          <thead>
            <tr>
              <th scope="col" className={styles.name}>{t`Name`}</th>
              {shown.map(({ day, kind, name, work, slots, isTaken, isPast }) => (
                <th
                  key={day}
                  scope="col"
                  className={classNames(
                    styles.day,
                    work === 0 && styles.off,
                    work > 0 && isPast && !isTaken && styles.untaken,
                  )}
                  title={[name || (work === 1 ? '' : translateOption(kind)), work > 0 && isPast ? untaken(slots) : '']
                    .filter(Boolean)
                    .join(', ')}
                >
                  <small>{weekdayOf(day).slice(0, 1)}</small>
                  <PageLink
                    className="quiet-link"
                    to="/school-erp/attendance/student-attendance"
                    search={{ section: String(section.id), day }}
                    aria-label={[showDate(day), name].filter(Boolean).join(', ')}
                  >
                    {Number(day.slice(8))}
                  </PageLink>
                </th>
              ))}
              {[t`P`, t`A`, t`L`, t`Half`, t`Lv`, t`Days`, '%', t`Year`].map((title, index) => (
                <th key={title} scope="col" className={classNames(styles.sum, index === 0 && styles.first)}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {children.map((child) => (
              <Line
                key={child.studentId}
                child={child}
                days={shown}
                kinds={kinds}
                names={names}
                low={low}
                near={near}
              />
            ))}
          </tbody>
          <tfoot>
            {!isTotals &&
              (
                [
                  [t`Present`, 'present'],
                  [t`Boys`, 'boys'],
                  [t`Girls`, 'girls'],
                ] as const
              ).map(([title, key], index) => (
                <tr key={key}>
                  <th scope="row" className={styles.name}>
                    {title}
                  </th>
                  {days.map((day) => (
                    <td key={day.day} className={classNames(styles.day, day.work === 0 && styles.off)}>
                      {day.slots.some(({ isTaken }) => isTaken) && day.work > 0 ? day[key] : ''}
                    </td>
                  ))}
                  <td colSpan={6} className={styles.first} />
                  <td className={styles.percent}>{index === 0 && showRate(matrix.perMille)}</td>
                  <td className={styles.sum}>{index === 0 && showRate(matrix.yearPerMille)}</td>
                </tr>
              ))}
          </tfoot>
        </table>
      </ScrollFrame>
      {!isTotals && (
        <Row as="p" gap="4 16" wrap mt={8} size={13} className={styles.legend}>
          {used.map(({ code, name, kind }) => (
            <span key={code} data-kind={kind}>
              <b>{kind === 'Present' ? '·' : code}</b> {name}
            </span>
          ))}
          <span>{t`Underlined marks are from another section.`}</span>
        </Row>
      )}
    </>
  );
}

/** Asks for another mark of a child on a day whose register is taken. */
function Corrections({
  matrix: { days, children },
  section,
}: {
  matrix: MonthMatrix;
  section: { id: number; name: string };
}) {
  const { t } = useLingui();
  const may = useMay(correctionApi.request);
  const isAnyTaken = ({ slots }: MonthDay) => slots.some(({ isTaken }) => isTaken);
  const taken = days.filter(isAnyTaken).map(({ day }) => day);
  const slots = [...new Set(days.flatMap((day) => day.slots.filter(({ isTaken }) => isTaken).map(({ slot }) => slot)))];
  if (!may || taken.length === 0) return null;
  return (
    <p>
      <FormOpener title={t`Request correction`} label={<Trans>Request correction…</Trans>}>
        {(onClose) => (
          <CorrectionForm section={section} students={children} days={taken} slots={slots} onClose={onClose} />
        )}
      </FormOpener>
    </p>
  );
}

/** Which registers of a day are missing: none, all, or one half. */
function untaken(slots: MonthDay['slots']): string {
  const open = slots.filter(({ isTaken }) => !isTaken);
  if (open.length === 0) return '';
  const [{ slot } = { slot: 'Full day' }] = open;
  if (open.length === slots.length || slot === 'Full day') return translate(text`Not taken`);
  return translate(slot === 'Morning' ? text`Morning not taken` : text`Afternoon not taken`);
}

const sums = ['present', 'absent', 'late', 'halfDay', 'leave', 'days'] as const;

interface LineProps {
  child: MonthChild;
  days: readonly MonthDay[];
  kinds: ReadonlyMap<string, string>;
  names: ReadonlyMap<string, string>;
  low: number;
  near: number;
}

function Line({ child, days, kinds, names, low, near }: LineProps) {
  const { t } = useLingui();
  const { totals, elsewhere } = child;
  return (
    <tr className={classNames(child.isNeverJoined && styles.never)}>
      <th scope="row" className={styles.name}>
        <i>{child.rollNo}</i>
        {child.name}
        {child.isNeverJoined && (
          <VisuallyHidden>
            <Trans>, never joined: these marks are not counted</Trans>
          </VisuallyHidden>
        )}
      </th>
      {days.map(({ day, work, isTaken, isPast }, index) => {
        const halves = child.marks[index];
        const mark = halves && shownMarks(halves);
        const isMixed = halves?.length === 2 && halves[0] !== halves[1];
        const kind = mark ? kinds.get(mark) : undefined;
        return (
          <td
            key={day}
            data-kind={work > 0 ? kind : undefined}
            className={classNames(
              styles.day,
              work === 0 && styles.off,
              work > 0 && isPast && !isTaken && mark === '' && styles.untaken,
              elsewhere.includes(index) && styles.elsewhere,
              isMixed && styles.halves,
            )}
          >
            {isMixed
              ? (['Morning', 'Afternoon'] as const).map((slot, half) => {
                  const code = halves[half] ?? '';
                  return (
                    <span key={slot} data-kind={kinds.get(code)} title={names.get(code)}>
                      {code === '' ? '–' : kinds.get(code) === 'Present' ? '·' : code}
                    </span>
                  );
                })
              : mark && (kind === 'Present' ? <span title={names.get(mark)}>·</span> : mark)}
          </td>
        );
      })}
      {sums.map((sum) => {
        const value = sum === 'leave' ? totals.leave + totals.onDuty : totals[sum];
        return (
          <td
            key={sum}
            className={classNames(styles.sum, sum === 'present' && styles.first, value === 0 && styles.zero)}
          >
            {value === 0 ? '–' : value}
          </td>
        );
      })}
      <td
        className={classNames(
          styles.percent,
          isBelow(totals.perMille, low) ? styles.below : isBelow(totals.perMille, near) && styles.amber,
        )}
      >
        {isBelow(totals.perMille, low) && <IconAlertTriangle size={14} aria-label={t`below ${low} %`} />}
        {showRate(totals.perMille)}
      </td>
      <td className={styles.sum}>{showRate(child.yearPerMille)}</td>
    </tr>
  );
}
