import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { FileImport } from '#kit/browser/import/FileImport.tsx';
import { ExportMenu } from '#kit/browser/list/ExportMenu.tsx';
import { FilterChoice } from '#kit/browser/list/FilterChoice.tsx';
import { Filters } from '#kit/browser/list/Filters.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Table } from '#kit/browser/ui/Layout.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { TableKind } from '#kit/contract/served-file.ts';
import {
  type PlacedStudent,
  type RollRule,
  rollFile,
  rollImportApi,
  rollRules,
  type SectionStrength,
  sectionStudentApi,
} from '../contract/section-student.ts';
import { NumberSections } from '../ui/NumberSections.tsx';
import type { GradeOfYear } from './grade-of-year.ts';

interface Props {
  at: GradeOfYear;
  year: { id: number; name: string };
  overview: OutputOf<typeof sectionStudentApi.overview>;
}

/** The numbers of a section: by a rule, one by one, from a file, or locked. */
export function RollNumbers({ at, year, overview: { sections, on, isClosed } }: Props) {
  const { t } = useLingui();
  const { address, go } = useListAddress();
  const section = sections.find(({ id }) => String(id) === address.section) ?? sections[0];
  const [edited, setEdited] = useState<PlacedStudent>();
  const input = { ...at, on, sectionId: String(section?.id ?? ''), search: '' };
  const query = useReadList(sectionStudentApi.students, input);
  if (!section) return null;
  const { name, isRollLocked } = section;
  return (
    <>
      <Filters className="roll-filters">
        <FilterChoice
          label={t`Section`}
          value={String(section.id)}
          onChange={(chosen) => go({ ...address, section: chosen })}
        >
          {sections.map((option) => (
            <option key={option.id} value={String(option.id)}>
              {option.name}
            </option>
          ))}
        </FilterChoice>
        {!isClosed && <Renumber key={section.id} section={section} year={year} />}
        <RollFiles at={at} on={on} section={section} isFixed={isClosed || isRollLocked} />
      </Filters>
      <p className="soft">
        {isRollLocked ? (
          <Trans>Roll numbers are locked. New students get the next number.</Trans>
        ) : (
          <Trans>
            Students in this section on {showDate(on)}. Students leaving before the year ends are numbered last.
          </Trans>
        )}
      </p>
      <QueryBoundary query={query}>
        {({ students }) =>
          students.length === 0 ? (
            <EmptyState message={<Trans>No students yet.</Trans>} />
          ) : (
            <Table className="ticks rolls">
              <VisuallyHidden as="caption">{t`Roll numbers of ${name}`}</VisuallyHidden>
              <thead>
                <tr>
                  <th scope="col">{t`Roll no.`}</th>
                  <th scope="col">{t`Name`}</th>
                  <th scope="col">{t`GR number`}</th>
                </tr>
              </thead>
              <tbody>
                {students.map((student) => (
                  <tr key={student.id}>
                    <td>
                      <Roll student={student} isFixed={isClosed || isRollLocked} onEdit={() => setEdited(student)} />
                    </td>
                    <td>
                      {student.name}
                      {student.until && (
                        <>
                          {' '}
                          <span className="soft">
                            <Trans>until {showDate(student.until)}</Trans>
                          </span>
                        </>
                      )}
                    </td>
                    <td>{student.grNo}</td>
                  </tr>
                ))}
              </tbody>
            </Table>
          )
        }
      </QueryBoundary>
      {edited && <RollDialog student={edited} section={section} on={on} onClose={() => setEdited(undefined)} />}
    </>
  );
}

interface RollProps {
  student: PlacedStudent;
  isFixed: boolean;
  onEdit: () => void;
}

function Roll({ student: { name, rollNo }, isFixed, onEdit }: RollProps) {
  const { t } = useLingui();
  const shown = rollNo ?? '–';
  if (isFixed) return shown;
  return (
    <Button kind="link" className="roll" aria-label={t`Roll number of ${name}: ${shown}`} onClick={onEdit}>
      {shown}
    </Button>
  );
}

type Rolls = OutputOf<typeof sectionStudentApi.number>['rolls'];

const isNew = ({ before, after }: Rolls[number]) => before !== after;

/** Renumbers a section by a rule, after a preview. */
function Renumber({ section: { id, name, isRollLocked }, year }: Pick<Props, 'year'> & { section: SectionStrength }) {
  const { t } = useLingui();
  const toast = useToast();
  const number = usePreview(sectionStudentApi.number, ({ rolls }) => !rolls.some(isNew));
  const lock = useAction(sectionStudentApi.lock);
  const [rule, setRule] = useState<RollRule>(rollRules[0]);
  const rolls = number.shown?.answer.rolls;
  const setLocked = async (isLocked: boolean, isUndo = false) => {
    if (!(await lock.run({ id, isLocked }))) return;
    toast({
      kind: 'success',
      title: isLocked ? t`Roll numbers of ${name} locked` : t`Roll numbers of ${name} unlocked`,
      actions: isUndo ? undefined : [{ label: t`Undo`, act: () => void setLocked(!isLocked, true) }],
    });
  };
  const showPreview = async () => {
    const answer = await number.show({ id, rule });
    if (answer?.isApplied) toast({ kind: 'success', title: t`Roll numbers are already in this order.` });
  };
  return (
    <>
      {!isRollLocked && (
        <>
          <FilterChoice label={t`Order`} value={rule} onChange={(chosen) => setRule(chosen as RollRule)}>
            {rollRules.map((rollRule) => (
              <option key={rollRule} value={rollRule}>
                {translateOption(rollRule)}
              </option>
            ))}
          </FilterChoice>
          <Button kind="main" onClick={showPreview}>
            <Trans>Renumber…</Trans>
          </Button>
          <NumberSections year={year} rule={rule} />
        </>
      )}
      <Button isBusy={lock.isBusy} onClick={() => setLocked(!isRollLocked)}>
        {isRollLocked ? <Trans>Unlock roll numbers</Trans> : <Trans>Lock roll numbers</Trans>}
      </Button>
      {lock.problem}
      {!rolls && number.problem}
      {rolls && (
        <PreviewDialog
          preview={number}
          title={t`Renumber ${name}`}
          confirm={<Trans>Renumber</Trans>}
          details={<NewRolls rolls={rolls} />}
          onApplied={() => toast({ kind: 'success', title: t`Renumbered.`, of: name })}
        >
          <Plural
            value={rolls.filter(isNew).length}
            one="# roll number will change. Printed lists will be out of date."
            other="# roll numbers will change. Printed lists will be out of date."
          />
        </PreviewDialog>
      )}
    </>
  );
}

function NewRolls({ rolls }: { rolls: Rolls }) {
  const { t } = useLingui();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by the keyboard.
    <section className="new-rolls" aria-label={t`New roll numbers`} tabIndex={0}>
      <Table className="ticks">
        <thead>
          <tr>
            <th scope="col">{t`Name`}</th>
            <th scope="col">{t`Current`}</th>
            <th scope="col">{t`New`}</th>
          </tr>
        </thead>
        <tbody>
          {rolls.map(({ name, grNo, before, after, until }) => (
            <tr key={`${grNo} ${until}`} className={before === after ? undefined : 'tick-on'}>
              <td>
                {name}{' '}
                {until && (
                  <span className="soft">
                    <Trans>until {showDate(until)}</Trans>
                  </span>
                )}
              </td>
              <td>{before ?? '–'}</td>
              <td>{after}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}

interface FilesProps {
  at: GradeOfYear;
  on: string;
  section: SectionStrength;
  isFixed: boolean;
}

/** The section's class list as a file, and the import of roll numbers. */
function RollFiles({ at, on, section: { id, name }, isFixed }: FilesProps) {
  const { t } = useLingui();
  const { attempt, problem } = useAttempt();
  const [isOpen, setOpen] = useState(false);
  const download = useDownload();
  const save = (as: TableKind) =>
    attempt(async () => {
      const filter = { ...at, on, sectionId: String(id) };
      await download(sectionStudentApi.export, { ...filter, what: 'list', as }, `class-list.${as}`);
    });
  return (
    <>
      <ExportMenu words={<Trans>Class list</Trans>} onExport={save} />
      {!isFixed && (
        <Button onClick={() => setOpen(true)}>
          <Trans>Import roll numbers…</Trans>
        </Button>
      )}
      {problem}
      {isOpen && (
        <FileImport
          title={t`Import roll numbers for ${name}`}
          fields={rollFile}
          name="roll-numbers"
          api={rollImportApi}
          hiddenValues={{ id, on }}
          onClose={() => setOpen(false)}
        >
          <Trans>
            An Excel or CSV file with the columns Roll number and GR number, such as the class list of this section. You
            will see a preview first.
          </Trans>
        </FileImport>
      )}
    </>
  );
}

interface RollDialogProps {
  student: PlacedStudent;
  section: SectionStrength;
  on: string;
  onClose: () => void;
}

function RollDialog({ student, section, on, onClose }: RollDialogProps) {
  return (
    <RecordForm
      title={student.name}
      about={section.name}
      endpoint={sectionStudentApi.setRoll}
      initial={{ rollNo: String(student.rollNo ?? '') }}
      hiddenValues={{ id: section.id, enrollmentId: student.id, on }}
      onClose={onClose}
    >
      <TextField name="rollNo" width="short" inputMode="numeric" />
    </RecordForm>
  );
}
