import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { staffNames } from '#access/contract/staff-names.ts';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { apartness } from '#features/academic/ui/section-names.ts';
import type { AcademicYear } from '#features/calendar/contract/year.ts';
import { AddInAcademicMaster } from '#features/calendar/ui/AddInAcademicMaster.tsx';
import { ClosedYear } from '#features/calendar/ui/ClosedYear.tsx';
import { WorkingYear } from '#features/calendar/ui/WorkingYear.tsx';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead, useReadList } from '#kit/browser/data/read.ts';
import { summarySlotId } from '#kit/browser/form/form-problems.tsx';
import { ExportMenu } from '#kit/browser/list/ExportMenu.tsx';
import { FilterChoice } from '#kit/browser/list/FilterChoice.tsx';
import { FilterDay } from '#kit/browser/list/FilterDay.tsx';
import { FilterOption } from '#kit/browser/list/FilterOption.tsx';
import { Filters } from '#kit/browser/list/Filters.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { Grid, Table, Text } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { TableKind } from '#kit/contract/served-file.ts';
import { sectionTeacherApi } from '../contract/section-teacher.ts';
import { CopyTeachers } from './CopyTeachers.tsx';
import { ImportTeachers } from './ImportTeachers.tsx';
import styles from './SectionTeacherPage.module.css';
import { AssignDialog, type AssignmentTarget, EntryDialog } from './TeacherDialogs.tsx';
import { type Opened, TeacherMatrix } from './TeacherMatrix.tsx';

/** /school-erp/academic/section-teacher-mapping: the teachers of each section. */
export function SectionTeacherPage() {
  const { t } = useLingui();
  return (
    <>
      <PageHead title={t`Section Teacher Mapping`} />
      <div id={summarySlotId} />
      <WorkingYear>{(year, { before }) => <Mapping key={year.id} year={year} before={before} />}</WorkingYear>
    </>
  );
}

interface MappingProps {
  year: AcademicYear;
  before: AcademicYear | undefined;
}

function Mapping({ year, before }: MappingProps) {
  const { t } = useLingui();
  const { data: grades = [] } = useRead(gradeMaster.api.options, {});
  const { address, narrow } = useListAddress();
  const { attempt, problem } = useAttempt();
  const [opened, setOpened] = useState<Opened>();
  const [lookedUp, setLookedUp] = useState<{ id: number; name: string }>();
  const cell = useRef<Element>(null);
  const open = (what: Opened) => {
    cell.current = document.activeElement?.closest('td') ?? null;
    setOpened(what);
  };
  const gradeId = address.grade ?? '';
  const staffId = address.teacher ?? '';
  const grade = { academicYearId: year.id, gradeId, sectionId: '', on: address.on ?? '' };
  const { data: { sections } = {} } = useReadList(sectionTeacherApi.read, { ...grade, staffId: '' });
  const section = sections?.find(({ id }) => String(id) === address.section);
  // Until the sections are read the address is trusted; a section of another year is dropped.
  const sectionId = sections ? String(section?.id ?? '') : (address.section ?? '');
  const filter = { ...grade, sectionId, staffId };
  const query = useReadList(sectionTeacherApi.read, filter);
  const apart = apartness(sections ?? []);
  // The pressed button may be gone when its dialog closes: then its cell takes the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked whenever the cell may have changed.
  useEffect(() => {
    if (!opened && document.activeElement === document.body) cell.current?.querySelector('button')?.focus();
  }, [opened, query.data]);
  const download = useDownload();
  const save = (as: TableKind) =>
    attempt(() => download(sectionTeacherApi.export, { ...filter, as }, `section-teachers.${as}`));
  return (
    <>
      <div className="list-head">
        <Filters isInHead>
          <FilterChoice
            label={t`Grade`}
            value={gradeId}
            onChange={(grade) => narrow({ grade, section: '' })}
            all={t`All grades`}
          >
            {grades
              .filter(({ isActive }) => isActive)
              .map(({ id, name }) => (
                <option key={id} value={String(id)}>
                  {name}
                </option>
              ))}
          </FilterChoice>
          <FilterChoice
            label={t`Section`}
            value={sectionId}
            onChange={(section) => narrow({ section })}
            all={t`All sections`}
          >
            {sections?.map((section) => (
              <option key={section.id} value={String(section.id)}>
                {[section.name, apart(section)].filter(Boolean).join(', ')}
              </option>
            ))}
          </FilterChoice>
          <FilterOption
            label={t`Teacher`}
            options={staffNames.options}
            offersInactive
            labelOf={({ name, isActive }) => (isActive ? name : t`${name} (inactive)`)}
            value={staffId}
            onChange={(teacher) => narrow({ teacher })}
            all={t`All teachers`}
          />
          <FilterDay label={t`Day`} value={query.data?.on ?? ''} onChange={(on) => narrow({ on })} />
        </Filters>
        <div className="list-buttons">
          {before && year.phase !== 'Closed' && <CopyTeachers from={before} to={year} />}
          {year.phase !== 'Closed' && <ImportTeachers year={year} />}
          <ExportMenu words={<Trans>Export</Trans>} onExport={save} />
        </div>
      </div>
      {problem}
      <QueryBoundary query={query}>
        {(mapping) =>
          mapping.sections.length === 0 && staffId ? (
            <EmptyState message={<Trans>This teacher has no sections on or after {showDate(mapping.on)}.</Trans>} />
          ) : mapping.sections.length === 0 ? (
            <AddInAcademicMaster tab="section" message={<Trans>No sections yet.</Trans>} />
          ) : (
            <>
              {mapping.isClosed && (
                <Notice>
                  <ClosedYear />
                </Notice>
              )}
              <Gaps
                filter={filter}
                on={mapping.on}
                isOpen={address.show === 'gaps'}
                onGrade={(grade) => narrow({ grade, section: '', teacher: '', show: '' })}
              />
              <Grid
                gap={24}
                align="start"
                className={classNames(styles.mapping, !gradeId && !sectionId && !staffId && styles.beside)}
              >
                <TeacherMatrix
                  mapping={mapping}
                  isOneGrade={gradeId !== '' || sectionId !== ''}
                  onOpen={open}
                  onHistory={setLookedUp}
                />
                <Load filter={filter} />
              </Grid>
              {lookedUp && (
                <HistoryDialog
                  endpoint={sectionMaster.api.history}
                  id={lookedUp.id}
                  displayName={lookedUp.name}
                  onClose={() => setLookedUp(undefined)}
                />
              )}
              {opened && <Dialog opened={opened} mapping={mapping} close={() => setOpened(undefined)} />}
            </>
          )
        }
      </QueryBoundary>
    </>
  );
}

interface TeacherFilter {
  academicYearId: number;
  gradeId: string;
  sectionId: string;
  staffId: string;
  on: string;
}

interface DialogProps {
  opened: Opened;
  mapping: OutputOf<typeof sectionTeacherApi.read>;
  close: () => void;
}

function Dialog({ opened, mapping: { sections, subjects, on, isClosed }, close }: DialogProps) {
  const place = (sectionId: number, subjectId: number | null): AssignmentTarget => ({
    section: sections.find(({ id }) => id === sectionId)?.name ?? '',
    subject: subjects.find(({ id }) => id === subjectId)?.name ?? '',
  });
  if ('entry' in opened) {
    const { sectionId, subjectId } = opened.entry;
    return (
      <EntryDialog
        entry={opened.entry}
        place={place(sectionId, subjectId)}
        on={on}
        isClosed={isClosed}
        onClose={close}
      />
    );
  }
  return <AssignDialog {...opened} place={place(opened.sectionId, opened.subjectId)} on={on} onClose={close} />;
}

interface GapsProps {
  filter: TeacherFilter;
  on: string;
  /** Opened from the dashboard's card. */
  isOpen: boolean;
  onGrade: (gradeId: string) => void;
}

/** Classes and subjects without a teacher, each linking to its grade. */
function Gaps({ filter, ...rest }: GapsProps) {
  const query = useReadList(sectionTeacherApi.gaps, filter);
  return (
    <QueryBoundary query={query}>{(found) => found.total > 0 && <GapList {...{ found, ...rest }} />}</QueryBoundary>
  );
}

interface GapListProps extends Omit<GapsProps, 'filter'> {
  found: OutputOf<typeof sectionTeacherApi.gaps>;
}

function GapList({ found: { gaps, total }, on, isOpen, onGrade }: GapListProps) {
  const omitted = total - gaps.length;
  return (
    <Notice as="details" className={styles.gaps} open={isOpen}>
      <summary>
        <Plural
          value={total}
          one="# section or subject has no teacher"
          other="# sections or subjects have no teacher"
        />{' '}
        <span className="soft">({showDate(on)})</span>
      </summary>
      <ul>
        {gaps.map(({ sectionId, gradeId, section, subject, left }) => (
          <li key={`${sectionId} ${subject}`}>
            <Button kind="link" onClick={() => onGrade(String(gradeId))}>
              {section}
            </Button>{' '}
            {subject ? <Trans>– {subject}: no teacher</Trans> : <Trans>– no class teacher</Trans>}
            {left && (
              <>
                {' '}
                <Trans>(inactive teacher: {left})</Trans>
              </>
            )}
          </li>
        ))}
      </ul>
      {omitted > 0 && (
        <p>
          <Plural value={omitted} one="# more entry is not shown." other="# more entries are not shown." />
        </p>
      )}
    </Notice>
  );
}

/** The load of each teacher on that day, over all grades. */
function Load({ filter }: { filter: TeacherFilter }) {
  const query = useReadList(sectionTeacherApi.load, { ...filter, gradeId: '', sectionId: '' });
  return <QueryBoundary query={query}>{(found) => found.rows.length > 0 && <LoadTable {...found} />}</QueryBoundary>;
}

function LoadTable({ rows, omitted }: OutputOf<typeof sectionTeacherApi.load>) {
  const { t } = useLingui();
  return (
    <section className={styles.load} aria-labelledby="load">
      <Text as="h2" mb={4} size={16} id="load">
        <Trans>Teachers</Trans>
      </Text>
      <Table>
        <thead>
          <tr>
            <th scope="col">{t`Name`}</th>
            <th scope="col">{t`Periods`}</th>
            <th scope="col">{t`Sections`}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ staffId, staff, periods, sections }) => (
            <tr key={staffId}>
              <th scope="row">{staff}</th>
              <td>{periods || '–'}</td>
              <td>{sections}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {omitted > 0 && (
        <p className="soft">
          <Plural value={omitted} one="# more entry is not shown." other="# more entries are not shown." />
        </p>
      )}
    </section>
  );
}
