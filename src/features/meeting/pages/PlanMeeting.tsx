import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { GroupedTicks } from '#features/tag/ui/GroupedTicks.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { TickField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Text } from '#kit/browser/ui/Layout.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { omit, pick } from '#kit/contract/field.ts';
import { minuteOf, slotsOf } from '#kit/contract/slots.ts';
import { meetingApi, planFields, spanFields } from '../contract/meeting.ts';

/** Plans a meeting: a draft with the teachers of the chosen sections. */
export function PlanMeeting({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  const offer = useRead(meetingApi.offer, {});
  return (
    <QueryBoundary query={offer}>
      {({ sections }) => (
        <RecordForm
          title={t`New meeting`}
          about={t`Families hear of it when you open it for booking.`}
          endpoint={meetingApi.create}
          initial={{
            name: t`Parent-teacher meeting`,
            day: '',
            from: '09:00',
            to: '12:00',
            minutes: '10',
            gap: '0',
            walk: '5',
            booksUntil: '',
            isApart: false,
            sectionIds: [],
            hasSubjects: true,
          }}
          words={<Trans>Plan</Trans>}
          saved={null}
          onDone={({ id }) =>
            navigate({ to: '/school-erp/meeting/meeting-list/$meetingID', params: { meetingID: String(id) } })
          }
          onClose={onClose}
        >
          <FieldControls fields={pick(planFields, 'name')} />
          <DateField name="day" toward="future" />
          <FieldControls fields={{ ...spanFields, ...pick(planFields, 'booksUntil') }} />
          <FieldControls fields={omit(planFields, 'name', 'booksUntil')} />
          <Count />
          <Sections sections={sections} />
          <TickField name="hasSubjects" />
        </RecordForm>
      )}
    </QueryBoundary>
  );
}

/** How many talks each teacher has time for. */
function Count() {
  const { values } = useApiForm();
  const { from, to, minutes, gap } = values as Record<string, string>;
  if (!isTime(from) || !isTime(to) || !(Number(minutes) >= 5) || !(Number(gap) >= 0)) return null;
  const span = { from: minuteOf(from), to: minuteOf(to), minutes: Number(minutes), gap: Number(gap) };
  return (
    <Text tone="soft" size={13}>
      <Plural value={slotsOf(span).length} one="# time for each teacher." other="# times for each teacher." />
    </Text>
  );
}

const isTime = (typed: string | undefined): typed is string => /^[0-9]{2}:[0-9]{2}$/.test(typed ?? '');

function Sections({ sections }: { sections: readonly { id: number; name: string; group: string }[] }) {
  const { errors } = useApiForm();
  return (
    <>
      <ErrorText id="sectionIds-error" error={errors.sectionIds} />
      <GroupedTicks name="sectionIds" options={sections} />
    </>
  );
}
