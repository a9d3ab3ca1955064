import { Plural, Trans } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import type { Previewed } from '#kit/contract/preview.ts';
import type { PlannedChange, TouchedRider } from '../contract/route.ts';

type Touched = Previewed & { riders: TouchedRider[]; count: number; planned?: PlannedChange[] };

interface Props<Operation extends Endpoint>
  extends Pick<ComponentProps<typeof ApiForm<Operation>>, 'endpoint' | 'initial' | 'hiddenValues'> {
  title: string;
  about?: string;
  words?: ReactNode;
  /** The question before riders get something else, and what they get. */
  question: string;
  effect: (count: number) => ReactNode;
  /** What the message says once it is applied. */
  saved: string;
  onClose: () => void;
  children: ReactNode;
}

/** A form that shows which riders it touches before it is applied; one that touches none is applied at once. */
export function RidersForm<Operation extends Endpoint>(props: Props<Operation>) {
  const { title, about, endpoint, initial, hiddenValues, words = <Trans>Save</Trans>, onClose, children } = props;
  const toast = useToast();
  const preview = usePreview(endpoint, (answer) => {
    const { count, planned, confirmToken } = answer as unknown as Touched;
    return count === 0 && !planned?.length && confirmToken !== null;
  });
  const { riders, count, planned } = (preview.shown?.answer ?? { riders: [], count: 0 }) as unknown as Touched;
  const further = count - riders.length;
  return (
    <SideDialog title={title} about={about} onClose={onClose}>
      {(close) => {
        const finish = () => {
          close();
          toast({ kind: 'success', title: props.saved });
        };
        return (
          <>
            <ApiForm
              endpoint={endpoint}
              label={title}
              initial={initial}
              hiddenValues={hiddenValues}
              onDone={async (_answer, input) => {
                const shown = await preview.show(input);
                if (shown?.isApplied) finish();
              }}
              buttons={(isSending) => (
                <>
                  {!preview.shown && preview.problem}
                  <FormButtons isSending={isSending} close={close} words={words} />
                </>
              )}
            >
              {children}
            </ApiForm>
            <PreviewDialog
              preview={preview}
              title={props.question}
              confirm={words}
              onApplied={finish}
              details={
                <ul>
                  {riders.map(({ name, stop, before, after }) => (
                    <li key={`${name} ${stop}`}>
                      {name}, {stop}: {before} → {after}
                    </li>
                  ))}
                  {further > 0 && (
                    <li className="soft">
                      <Plural value={further} one="And # more" other="And # more" />
                    </li>
                  )}
                </ul>
              }
            >
              {planned && planned.length > 0 && <LaterChanges planned={planned} />}
              {count > 0 && props.effect(count)}
            </PreviewDialog>
          </>
        );
      }}
    </SideDialog>
  );
}

/** What is planned for a later day, and counts from then on unless it is dropped. */
function LaterChanges({ planned }: { planned: PlannedChange[] }) {
  return (
    <ul>
      {planned.map(({ role, name, from, isDropped }) => {
        const [word, day] = [translateOption(role), showDate(from)];
        return (
          <li key={`${role} ${from}`}>
            {isDropped ? (
              <Trans>
                {word} from {day}: {name}. This plan is cancelled.
              </Trans>
            ) : (
              <Trans>
                {word} from {day}: {name}, as planned before.
              </Trans>
            )}
          </li>
        );
      })}
    </ul>
  );
}

export const OtherVehicle = ({ count }: { count: number }) => (
  <Plural value={count} one="# ride moves to another vehicle:" other="# rides move to another vehicle:" />
);
