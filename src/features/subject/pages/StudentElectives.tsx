import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { AddInAcademicMaster } from '#features/calendar/ui/AddInAcademicMaster.tsx';
import { ClosedYear } from '#features/calendar/ui/ClosedYear.tsx';
import { WorkingYear } from '#features/calendar/ui/WorkingYear.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead, useReadList } from '#kit/browser/data/read.ts';
import { FilterChoice } from '#kit/browser/list/FilterChoice.tsx';
import { Filters } from '#kit/browser/list/Filters.tsx';
import { SearchBox } from '#kit/browser/list/SearchBox.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { RecordPicker } from '#kit/browser/master/RecordPicker.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Text } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type ElectiveGroup, studentSubjectApi } from '../contract/student-subject.ts';
import { ElectiveChoices } from './ElectiveChoices.tsx';

interface GradeOfYear {
  academicYearId: number;
  gradeId: number;
}

/** The electives of a grade's students in the working year. */
export const StudentElectives = () => (
  <WorkingYear>
    {(year) => (
      <RecordPicker
        master={gradeMaster}
        keptAs="grade"
        none={<AddInAcademicMaster tab="grade" message={<Trans>No {translate(gradeMaster.plural)} yet.</Trans>} />}
      >
        {({ id, name }, choice) => {
          const at = { academicYearId: year.id, gradeId: id };
          return <OfGrade key={`${year.id} ${id}`} at={at} choice={choice} gradeName={name} yearName={year.name} />;
        }}
      </RecordPicker>
    )}
  </WorkingYear>
);

interface GradeProps {
  at: GradeOfYear;
  /** Where the grade is chosen. */
  choice: ReactNode;
  gradeName: string;
  yearName: string;
}

function OfGrade({ at, choice, gradeName, yearName }: GradeProps) {
  const query = useRead(studentSubjectApi.groups, at);
  return (
    <QueryBoundary query={query}>
      {(overview) =>
        overview.groups.length === 0 ? (
          <>
            <div className="list-head">
              <Filters isInHead>{choice}</Filters>
            </div>
            <EmptyState
              message={
                <Trans>
                  {gradeName} has no electives in {yearName}.
                </Trans>
              }
            >
              <PageLink to="/school-erp/configuration/subject" search={{ tab: 'grade' }}>
                <Trans>Mark electives with E in “Subjects of each grade”</Trans>
              </PageLink>
            </EmptyState>
          </>
        ) : (
          <OfGroup at={at} choice={choice} overview={overview} />
        )
      }
    </QueryBoundary>
  );
}

const keyOf = ({ programId, groupId }: ElectiveGroup) => `${programId}-${groupId ?? ''}`;

interface GroupProps {
  at: GradeOfYear;
  choice: ReactNode;
  overview: OutputOf<typeof studentSubjectApi.groups>;
}

function OfGroup({ at, choice, overview: { groups, sections, isClosed } }: GroupProps) {
  const { t } = useLingui();
  const { address, go } = useListAddress();
  const group = groups.find((candidate) => keyOf(candidate) === address.group) ?? (groups[0] as ElectiveGroup);
  const own = sections.filter(({ programId }) => programId === group.programId);
  const section = own.find(({ id }) => String(id) === address.section);
  const search = address.search ?? '';
  const few = address.few === 'yes' && group.min > 0 ? 'yes' : '';
  const place = { ...at, programId: group.programId, groupId: group.groupId };
  const sectionId = section ? String(section.id) : '';
  const filter = { ...place, groupId: group.groupId ?? '', sectionId, search, few } as const;
  const query = useReadList(studentSubjectApi.students, filter);
  const several = new Set(groups.map(({ programId }) => programId)).size > 1;
  const { students, few: lacking, min } = group;
  return (
    <>
      <div className="list-head">
        <Filters isInHead>
          {choice}
          <FilterChoice
            label={t`Electives`}
            value={keyOf(group)}
            onChange={(wanted) => go({ ...address, group: wanted, section: '', few: '' })}
          >
            {groups.map((option) => (
              <option key={keyOf(option)} value={keyOf(option)}>
                {option.groupId === null ? t`No group` : option.name}
                {several && `, ${option.program}`}
              </option>
            ))}
          </FilterChoice>
          <FilterChoice
            label={t`Section`}
            value={sectionId}
            all={t`All`}
            onChange={(wanted) => go({ ...address, section: wanted })}
          >
            {own.map(({ id, name }) => (
              <option key={id} value={String(id)}>
                {name}
              </option>
            ))}
          </FilterChoice>
          <SearchBox
            label={t`Search students`}
            placeholder={t`Name or GR number`}
            value={search}
            onSearch={(words) => go({ ...address, search: words })}
          />
        </Filters>
      </div>
      {isClosed && (
        <Notice>
          <ClosedYear />
        </Notice>
      )}
      <Text mb={8}>
        <Rule group={group} />{' '}
        {min > 0 &&
          (lacking > 0 ? (
            <Text as="span" tone="warn" weight={600}>
              <Plural
                value={lacking}
                one={`# of ${students} students has too few electives.`}
                other={`# of ${students} students have too few electives.`}
              />
            </Text>
          ) : (
            <Trans>All students have enough electives.</Trans>
          ))}{' '}
        {(lacking > 0 || few) && (
          <Button kind="quiet" aria-pressed={few === 'yes'} onClick={() => go({ ...address, few: few ? '' : 'yes' })}>
            <Trans>Show only these students</Trans>
          </Button>
        )}
      </Text>
      <QueryBoundary query={query}>
        {({ students: shown, total }) =>
          shown.length === 0 ? (
            <EmptyState
              message={
                search || few || section ? (
                  <Trans>No entries match. Try removing a filter.</Trans>
                ) : (
                  <Trans>No students yet.</Trans>
                )
              }
            />
          ) : (
            <>
              {total > shown.length && (
                <p className="soft">
                  <Trans>
                    Showing {shown.length} of {total}. Search to see the rest.
                  </Trans>
                </p>
              )}
              <ElectiveChoices
                key={`${keyOf(group)} ${sectionId} ${search} ${few}`}
                place={place}
                group={group}
                isClosed={isClosed}
                students={shown}
              />
            </>
          )
        }
      </QueryBoundary>
    </>
  );
}

function Rule({ group: { min, max } }: { group: ElectiveGroup }) {
  if (max === null) return <Trans>Students can choose any of these electives.</Trans>;
  const range = min === max ? max : `${min}–${max}`;
  return <Trans>Electives for each student: {range}</Trans>;
}
