import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ApiForm } from '#kit/browser/ApiForm.tsx';
import { useAttempt } from '#kit/browser/attempt.tsx';
import { FilterChoice } from '#kit/browser/FilterChoice.tsx';
import { FormButtons } from '#kit/browser/FormDialog.tsx';
import { TextField } from '#kit/browser/fields.tsx';
import { SideDialog } from '#kit/browser/master/SideDialog.tsx';
import { useListAddress } from '#kit/browser/master/use-list-address.ts';
import { Reading } from '#kit/browser/Reading.tsx';
import { queryClient, useReadList, useSend } from '#kit/browser/read.ts';
import { said } from '#kit/browser/text.ts';
import { useToast } from '#kit/browser/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type PlacedStudent, rollRules, type SectionStrength, sectionStudentApi } from '../contract/section-student.ts';
import type { GradeOfYear } from './SectionStudentPage.tsx';

interface Props {
  at: GradeOfYear;
  overview: OutputOf<typeof sectionStudentApi.overview>;
}

/** The numbers of a section: by a rule, one by one, or locked. */
export function RollNumbers({ at, overview: { sections, on, isClosed } }: Props) {
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
      <div className="filters filters-open">
        <FilterChoice
          label={t`Section`}
          value={String(section.id)}
          onChange={(chosen) => go({ ...address, section: chosen })}
        >
          {sections.map((one) => (
            <option key={one.id} value={String(one.id)}>
              {one.name}
            </option>
          ))}
        </FilterChoice>
        {!isClosed && <Renumber key={section.id} section={section} />}
      </div>
      {isRollLocked && (
        <p className="soft">
          <Trans>These numbers are locked: they stay as they are, and who comes later gets the next one.</Trans>
        </p>
      )}
      <Reading query={query}>
        {({ students }) =>
          students.length === 0 ? (
            <p className="no-rows">
              <Trans>Nobody is in this section.</Trans>
            </p>
          ) : (
            <table className="ticks rolls">
              <caption className="only-read">{t`Roll numbers of ${name}`}</caption>
              <thead>
                <tr>
                  <th scope="col">{t`Roll`}</th>
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
                    <td>{student.name}</td>
                    <td>{student.grNo}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Reading>
      {edited && <RollDialog student={edited} section={section} onClose={() => setEdited(undefined)} />}
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
    <button
      type="button"
      className="link-button roll"
      aria-label={t`Roll number of ${name}: ${shown}`}
      onClick={onEdit}
    >
      {shown}
    </button>
  );
}

/** Numbers everybody by a rule, at once: another rule can be chosen after it. */
function Renumber({ section: { id, isRollLocked } }: { section: SectionStrength }) {
  const { t } = useLingui();
  const toast = useToast();
  const number = useSend(sectionStudentApi.number);
  const lock = useSend(sectionStudentApi.lock);
  const { attempt, problem } = useAttempt();
  const [rule, setRule] = useState<string>(rollRules[0]);
  const renumber = () =>
    attempt(async () => {
      await number({ id, rule, isTrial: false });
      toast({ kind: 'success', title: t`Numbered.` });
    });
  return (
    <>
      {!isRollLocked && (
        <>
          <FilterChoice label={t`In order of`} value={rule} onChange={setRule}>
            {rollRules.map((one) => (
              <option key={one} value={one}>
                {said(one)}
              </option>
            ))}
          </FilterChoice>
          <button type="button" className="button button-main" onClick={renumber}>
            <Trans>Number them anew</Trans>
          </button>
        </>
      )}
      <button type="button" className="button" onClick={() => attempt(() => lock({ id, isLocked: !isRollLocked }))}>
        {isRollLocked ? <Trans>Unlock the numbers</Trans> : <Trans>Lock the numbers</Trans>}
      </button>
      {problem}
    </>
  );
}

interface RollDialogProps {
  student: PlacedStudent;
  section: SectionStrength;
  onClose: () => void;
}

function RollDialog({ student, section, onClose }: RollDialogProps) {
  const { t } = useLingui();
  const toast = useToast();
  return (
    <SideDialog title={student.name} about={section.name} onClose={onClose}>
      {(close) => (
        <ApiForm
          endpoint={sectionStudentApi.setRoll}
          label={student.name}
          initial={{ rollNo: String(student.rollNo ?? '') }}
          known={{ id: section.id, enrollmentId: student.id }}
          onDone={async () => {
            close();
            toast({ kind: 'success', title: t`Saved.` });
            await queryClient.invalidateQueries({ queryKey: ['academic'] });
          }}
          buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Save</Trans>} />}
        >
          <TextField name="rollNo" width="short" inputMode="numeric" />
        </ApiForm>
      )}
    </SideDialog>
  );
}
