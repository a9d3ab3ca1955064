import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { FileImport } from '#kit/browser/import/FileImport.tsx';
import { ExportMenu } from '#kit/browser/list/ExportMenu.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Row, Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { ScrollFrame } from '#kit/browser/ui/ScrollFrame.tsx';
import { showTime } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { type MonthPerson, type MonthSheet, monthName, staffMonthApi } from '../contract/month.ts';
import { punchFile, punchImportApi } from '../contract/punch.ts';
import { MonthNav } from './MonthNav.tsx';
import styles from './MonthTab.module.css';
import { Pages } from './Pages.tsx';

/** What the staff worked in a month, and the days that are paid. */
export function MonthTab() {
  const { address, narrow } = useListAddress();
  const page = Number(address.page) || 1;
  const query = useReadList(staffMonthApi.read, { month: address.month ?? '', page });
  return (
    <QueryBoundary query={query}>
      {(sheet) => (
        <>
          <Head sheet={sheet} onMonth={(month) => narrow({ month, page: '' })} />
          {sheet.people.length === 0 ? (
            <EmptyState message={<Trans>No staff in this month.</Trans>} />
          ) : (
            <Sheet sheet={sheet} />
          )}
          <Pages
            count={sheet.count}
            page={page}
            onPage={(wanted) => narrow({ page: wanted > 1 ? String(wanted) : '' })}
          />
        </>
      )}
    </QueryBoundary>
  );
}

function Head({ sheet, onMonth }: { sheet: MonthSheet; onMonth: (month: string) => void }) {
  const { t } = useLingui();
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const mayImport = useMay(punchImportApi.import);
  const [isImporting, setImporting] = useState(false);
  const [asks, setAsks] = useState<'close' | 'reopen'>();
  const { month, today, unmarked, presentOnLeave, closings } = sheet;
  return (
    <Stack gap={8} mb={12}>
      <Row gap="8 12" align="center" wrap>
        <MonthNav month={month} last={today.slice(0, 7)} onMonth={onMonth} />
        <ExportMenu
          words={<Trans>Export</Trans>}
          onExport={(as) => attempt(() => download(staffMonthApi.export, { month, as }, `staff-month-${month}.${as}`))}
        />
        {mayImport && (
          <Button onClick={() => setImporting(true)}>
            <Trans>Import punches…</Trans>
          </Button>
        )}
        {sheet.mayClose && (
          <Button onClick={() => setAsks('close')}>
            <Trans>Close month…</Trans>
          </Button>
        )}
        {sheet.mayReopen && (
          <Button onClick={() => setAsks('reopen')}>
            <Trans>Reopen month…</Trans>
          </Button>
        )}
        {problem}
      </Row>
      {closings.map(({ id, closedAt, closedBy, isOpen }) => {
        const time = showTime(closedAt);
        return (
          <Notice key={id}>
            <Row gap="4 12" align="center" wrap>
              {isOpen ? (
                <Trans>
                  Closed by {closedBy} on {time}, and reopened.
                </Trans>
              ) : (
                <Trans>
                  Closed by {closedBy} on {time}. Presence and leave of this month can’t change.
                </Trans>
              )}
              {sheet.mayRead && (
                <Button
                  kind="quiet"
                  onClick={() =>
                    attempt(() => download(staffMonthApi.kept, { id: String(id) }, `staff-month-${month}.xlsx`))
                  }
                >
                  <Trans>Download its workbook</Trans>
                </Button>
              )}
            </Row>
          </Notice>
        );
      })}
      {(unmarked > 0 || presentOnLeave > 0) && (
        <Text tone="warn">
          {[
            unmarked > 0 && t`${plural(unmarked, { one: '# day is not marked', other: '# days are not marked' })}`,
            presentOnLeave > 0 &&
              t`${plural(presentOnLeave, { one: '# mark of presence on a day of leave', other: '# marks of presence on days of leave' })}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      )}
      {isImporting && (
        <FileImport
          title={t`Import punches of a device`}
          about={t`The first punch of a day is in, the last is out. Marks of the office are kept; the same file again adds nothing.`}
          fields={punchFile}
          name="punches"
          api={punchImportApi}
          hiddenValues={{}}
          onClose={() => setImporting(false)}
        />
      )}
      {asks && <AskMonth sheet={sheet} act={asks} onClose={() => setAsks(undefined)} />}
    </Stack>
  );
}

function AskMonth({ sheet, act, onClose }: { sheet: MonthSheet; act: 'close' | 'reopen'; onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const closing = useAction(staffMonthApi.close);
  const reopening = useAction(staffMonthApi.reopen);
  const { run, problem } = act === 'close' ? closing : reopening;
  const name = monthName(sheet.month);
  const { unmarked } = sheet;
  return (
    <AskDialog
      title={act === 'close' ? t`Close ${name}?` : t`Reopen ${name}?`}
      confirm={act === 'close' ? <Trans>Close month</Trans> : <Trans>Reopen month</Trans>}
      problem={problem}
      onClose={onClose}
      onConfirm={async (close) => {
        if (!(await run({ month: sheet.month }))) return;
        close();
        toast({ kind: 'success', title: act === 'close' ? t`${name} is closed.` : t`${name} is open.` });
      }}
    >
      {act === 'close' ? (
        <>
          <Trans>
            Presence and leave of this month can’t change until another person reopens it. Its workbook is kept.
          </Trans>{' '}
          {unmarked > 0 &&
            t`${plural(unmarked, { one: '# day is not marked, and is paid.', other: '# days are not marked, and are paid.' })}`}
        </>
      ) : (
        <Trans>Presence and leave of this month can change again. The workbook of its closing is kept.</Trans>
      )}
    </AskDialog>
  );
}

function Sheet({ sheet }: { sheet: MonthSheet }) {
  const { t } = useLingui();
  const { month, types, people } = sheet;
  const days = people[0]?.marks.map((_, index) => index + 1) ?? [];
  const name = monthName(month);
  return (
    <ScrollFrame label={t`Staff in ${name}`} className={styles.frame}>
      <table className={styles.sheet}>
        <thead>
          <tr>
            <th scope="col" className={styles.name}>{t`Name`}</th>
            {days.map((day) => (
              <th key={day} scope="col" className={styles.day}>
                {day}
              </th>
            ))}
            <th scope="col" className={classNames(styles.sum, styles.first)}>{t`Payable`}</th>
            <th scope="col" className={styles.sum}>{t`Employed`}</th>
            <th scope="col" className={styles.sum}>{t`Working`}</th>
            <th scope="col" className={styles.sum}>{t`Present`}</th>
            <th scope="col" className={styles.sum}>{t`Late`}</th>
            <th scope="col" className={styles.sum}>{t`Half`}</th>
            <th scope="col" className={styles.sum}>{t`Absent`}</th>
            {types.map(({ code, name: title }) => (
              <th key={code} scope="col" className={styles.sum} title={title}>
                {code}
              </th>
            ))}
            <th scope="col" className={styles.sum}>{t`Unpaid`}</th>
            <th scope="col" className={styles.sum}>{t`Not marked`}</th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <Line key={person.staffId} person={person} types={types} />
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

/** The letters of marks; every other cell names leave, a day off or nothing. */
const plain = ['', '·', 'P', 'D'];
const bad = ['A', 'L', 'H'];

function Line({ person, types }: { person: MonthPerson; types: MonthSheet['types'] }) {
  const sum = (key: string, value: number) => (
    <td key={key} className={styles.sum}>
      {value === 0 ? '–' : value}
    </td>
  );
  return (
    <tr>
      <th scope="row" className={styles.name}>
        <PageLink
          className="quiet-link"
          to="/school-erp/staff/view-staff/$userID"
          params={{ userID: String(person.staffId) }}
        >
          {person.name}
        </PageLink>
      </th>
      {person.marks.map((mark, index) => (
        <td
          // biome-ignore lint/suspicious/noArrayIndexKey: a day of the month is its place.
          key={index}
          className={classNames(
            styles.day,
            bad.includes(mark) && styles.bad,
            !bad.includes(mark) && !plain.includes(mark) && styles.leave,
          )}
        >
          {mark}
        </td>
      ))}
      <td className={classNames(styles.payable, styles.first)}>{person.payable}</td>
      {sum('employed', person.employed)}
      {sum('working', person.working)}
      {sum('present', person.present)}
      {sum('late', person.late)}
      {sum('half', person.halfDays)}
      {sum('absent', person.absent)}
      {types.map(({ code }, index) => sum(`type ${code}`, person.leave[index] ?? 0))}
      {sum('unpaid', person.unpaid)}
      {sum('unmarked', person.unmarked)}
    </tr>
  );
}
