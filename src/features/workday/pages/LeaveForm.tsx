import { Trans, useLingui } from '@lingui/react/macro';
import { StaffPicker } from '#features/staff/ui/StaffPicker.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { UploadStatus } from '#kit/browser/form/UploadProgress.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row, Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { showReaderDay, today } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { useLater } from '#kit/browser/ui/use-later.ts';
import { isDay } from '#kit/contract/day.ts';
import { ends, staffLeaveApi, starts } from '../contract/leave.ts';
import { leaveTypeMaster } from '../contract/masters.ts';

const empty = { typeId: '', fromDay: '', begins: starts[0], toDay: '', ends: ends[0], reason: '' };

/** Asks for leave of the user, and says what it costs while it is typed. */
export function AskForLeave({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  return (
    <RecordForm
      title={t`Ask for leave`}
      endpoint={staffLeaveApi.ask}
      initial={empty}
      words={<Trans>Ask</Trans>}
      saved={null}
      onDone={({ decider }) => toast({ kind: 'success', title: t`Asked. ${translate(decider)}` })}
      status={<UploadStatus />}
      onClose={onClose}
    >
      <Fields />
      <Cost />
      <TextField name="reason" long hint={t`Only you, those who decide and HR read it.`} />
      <UploadField name="paper" hint={<Trans>PDF, PNG or JPG, at most 2 MB.</Trans>} />
    </RecordForm>
  );
}

/** Enters leave of a colleague, or of one who is chosen. */
export function EnterLeave({ person, onClose }: { person?: { id: number; name: string }; onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  return (
    <RecordForm
      title={t`Enter leave of a colleague`}
      about={person?.name}
      endpoint={staffLeaveApi.enter}
      initial={{ ...empty, staffId: '' }}
      hiddenValues={person ? { staffId: person.id } : {}}
      words={<Trans>Enter</Trans>}
      saved={null}
      onDone={({ name, present }) =>
        toast({
          kind: present > 0 ? 'warning' : 'success',
          title: t`Leave of ${name} was entered.`,
          ...(present > 0 && { text: t`Marked as present on days of this leave: ${present}. Change these marks.` }),
        })
      }
      onClose={onClose}
    >
      {!person && <StaffPicker name="staffId" />}
      <Fields />
      <Cost staffId={person?.id} />
      <TextField name="reason" long />
    </RecordForm>
  );
}

function Fields() {
  const { t } = useLingui();
  const { change } = useApiForm();
  const quickDays = [
    { words: t`Today`, day: today() },
    { words: t`Tomorrow`, day: today(-1) },
  ];
  return (
    <>
      <OptionField name="typeId" options={leaveTypeMaster.api.options} />
      <div className="side-by-side">
        <DateField name="fromDay" />
        <DateField name="toDay" follows="fromDay" />
      </div>
      <Row gap={8} wrap mb={12}>
        {quickDays.map(({ words, day }) => (
          <Button
            key={words}
            onClick={() => {
              change('fromDay', day);
              change('toDay', day);
            }}
          >
            {words}
          </Button>
        ))}
      </Row>
      <RadioField name="begins" options={starts} />
      <RadioField name="ends" options={ends} />
    </>
  );
}

/** The cost of the leave, the balance after it, the work that waits on its days, and who decides. */
function Cost({ staffId }: { staffId?: number | undefined }) {
  const { values } = useApiForm();
  const person = staffId ?? (Number(values.staffId) || null);
  const span = useLater(
    JSON.stringify({
      typeId: String(values.typeId ?? ''),
      fromDay: String(values.fromDay ?? ''),
      toDay: String(values.toDay ?? ''),
      begins: String(values.begins ?? ''),
      ends: String(values.ends ?? ''),
      staffId: person,
    }),
  );
  const input = JSON.parse(span) as { typeId: string; fromDay: string; toDay: string; begins: string; ends: string };
  const isWhole = input.typeId !== '' && isDay(input.fromDay) && isDay(input.toDay) && input.fromDay <= input.toDay;
  const isOneHalf = input.fromDay !== input.toDay || input.begins !== 'At noon' || input.ends !== 'At noon';
  const { data } = useReadList(staffLeaveApi.estimate, input as never, isWhole && isOneHalf);
  if (!isWhole || !isOneHalf || !data) return null;
  const { costs, left, between, waits, decider, refusal } = data;
  const counted = between.map(showReaderDay).join(', ');
  return (
    <Stack gap={4} role="status">
      {refusal && <Text tone="bad">{translate(refusal.message)}</Text>}
      {costs && (
        <Text weight={600}>
          {left ? (
            <Trans>
              Costs {costs} · left {left} after this
            </Trans>
          ) : (
            <Trans>Costs {costs}</Trans>
          )}
        </Text>
      )}
      {counted && (
        <Text tone="soft">
          <Trans>Counts too: {counted}</Trans>
        </Text>
      )}
      {waits.map((wait) => (
        <Text key={translate(wait)} tone="warn">
          {translate(wait)}
        </Text>
      ))}
      {!refusal && <Text tone="soft">{translate(decider)}</Text>}
    </Stack>
  );
}
