import { Trans, useLingui } from '@lingui/react/macro';
import { Combobox as Parts, useCombobox } from '@mantine/core';
import { type ComponentProps, useEffect, useState } from 'react';
import { errorMessage } from '#kit/browser/data/attempt.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type OptionsEndpoint, withDetail } from '#kit/contract/field.ts';
import { Button } from './Button.tsx';
import styles from './Combobox.module.css';
import { Mantine } from './mantine.tsx';
import { useUnsaved } from './unsaved.tsx';
import type { Begun } from './use-begun.ts';
import { useContinued } from './use-begun.ts';
import { useFilled } from './use-filled.ts';
import { useLater } from './use-later.ts';

/** A chosen entry and its label. */
export interface Choice {
  value: string;
  label: string;
}

export type Entry = OutputOf<OptionsEndpoint>[number];

export interface ComboboxProps
  extends Pick<ComponentProps<'input'>, 'id' | 'name' | 'aria-invalid' | 'aria-describedby' | 'placeholder'> {
  /** The operation that lists the entries. */
  options: OptionsEndpoint;
  /** What the entries are further asked with. */
  given?: Readonly<Record<string, unknown>>;
  /** Whether inactive entries are offered too. */
  offersInactive?: boolean;
  /** The id of an entry that is not offered. */
  without?: string;
  /** The label of an entry, where it is not the name with its detail. */
  labelOf?: (entry: Entry) => string;
  chosen: Choice | undefined;
  onChoose: (choice: Choice | undefined) => void;
}

interface Props extends ComboboxProps {
  /** What the user typed or pressed while this was loading. */
  begun: Begun;
}

const most = 20;

/** Chooses one of many entries: the server returns the first 20 that match the typed text. */
export function LoadedCombobox({
  options,
  given,
  offersInactive = false,
  without,
  labelOf = withDetail,
  chosen,
  onChoose,
  begun,
  ...control
}: Props) {
  const { t } = useLingui();
  /** The typed text, until an entry is chosen or the box is left. */
  const [typed, setTyped] = useState(begun.typed);
  useUnsaved((typed ?? '').trim() !== '');
  const input = useContinued(begun);
  useFilled(input, chosen?.label);
  const search = useLater(typed?.trim().slice(0, 100) ?? '');
  const [isOpen, setOpen] = useState(begun.typed !== undefined || begun.isPressed);
  const store = useCombobox({ opened: isOpen, onOpenedChange: setOpen, scrollBehavior: 'instant' });
  const choose = (choice: Choice | undefined) => {
    setTyped(undefined);
    setOpen(false);
    if (choice?.value !== chosen?.value) onChoose(choice);
  };
  const leave = () => {
    setOpen(false);
    // An emptied box means no choice; text without a match restores the previous choice.
    if (typed?.trim() === '') choose(undefined);
    else setTyped(undefined);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the focus has left all of it.
    <div
      onBlur={({ currentTarget, relatedTarget }) => {
        if (currentTarget.contains(relatedTarget)) return;
        // The window has lost the focus, to the browser's Back button or another program: the box keeps its text.
        if (!document.hasFocus() && document.activeElement === input.current) return;
        // The question of a dialog about what is typed here takes the focus, and "Keep editing" returns to it.
        if (relatedTarget?.closest('[data-question]')) setOpen(false);
        else leave();
      }}
    >
      <Mantine>
        <Parts
          store={store}
          withinPortal={false}
          floatingStrategy="fixed"
          onOptionSubmit={(value, option) => choose({ value, label: option['aria-label'] ?? '' })}
        >
          <Parts.Target withExpandedAttribute>
            <input
              ref={input}
              className="box"
              type="text"
              autoComplete="off"
              aria-autocomplete="list"
              {...control}
              placeholder={control.placeholder ?? t`Type to search`}
              value={typed ?? chosen?.label ?? ''}
              onChange={(event) => {
                setTyped(event.currentTarget.value);
                setOpen(true);
              }}
              onClick={() => setOpen(true)}
              onFocus={(event) => event.currentTarget.select()}
              onKeyDown={(event) => {
                if (!isOpen) return;
                // While the entries are loading, Enter does not submit the form.
                if (event.key === 'Enter') event.preventDefault();
                if (event.key !== 'Escape') return;
                // The first press closes the list, not the dialog around it.
                event.preventDefault();
                event.stopPropagation();
                setTyped(undefined);
              }}
            />
          </Parts.Target>
          <Parts.Dropdown className={styles.list}>
            {isOpen && (
              <Found
                options={options}
                given={given}
                search={search}
                isTyping={search !== (typed?.trim().slice(0, 100) ?? '')}
                state={offersInactive ? '' : 'active'}
                without={without}
                labelOf={labelOf}
                onFound={store.selectFirstOption}
                isTyped={typed !== undefined}
                chosen={chosen?.value}
                onRetry={store.focusTarget}
              />
            )}
          </Parts.Dropdown>
        </Parts>
      </Mantine>
    </div>
  );
}

interface FoundProps extends Pick<Props, 'options' | 'given' | 'without'> {
  labelOf: (entry: Entry) => string;
  search: string;
  /** The search for the latest text has not started yet. */
  isTyping: boolean;
  isTyped: boolean;
  state: '' | 'active';
  chosen: string | undefined;
  onFound: () => void;
  onRetry: () => void;
}

/** The matching entries, or the reason that there are none. */
function Found({
  options,
  given,
  search,
  isTyping,
  isTyped,
  state,
  chosen,
  without,
  labelOf,
  onFound,
  onRetry,
}: FoundProps) {
  const { t } = useLingui();
  const { data, error, isFetching, refetch } = useRead(options, { ...given, search, state, limit: most });
  const found = isTyping ? undefined : data?.filter(({ id }) => String(id) !== without);
  const count = found?.length;
  // Enter takes the first entry that matches the typed text.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other entries are another reason.
  useEffect(() => {
    if (isTyped && count) onFound();
  }, [isTyped, search, count]);
  return (
    <>
      <Parts.Options aria-label={t`Entries`}>
        {found?.map((entry) => (
          <Parts.Option
            key={entry.id}
            value={String(entry.id)}
            active={String(entry.id) === chosen}
            aria-label={labelOf(entry)}
          >
            {labelOf === withDetail && entry.detail ? (
              <>
                {entry.name} <span className={styles.detail}>{entry.detail}</span>
              </>
            ) : (
              labelOf(entry)
            )}
          </Parts.Option>
        ))}
      </Parts.Options>
      <div role="status" className={count ? undefined : styles.note}>
        {count === 0 && <Trans>No entries match.</Trans>}
        {!found && (!error || isTyping) && <Trans>Loading…</Trans>}
        {!found && error && !isTyping && errorMessage(error)}
      </div>
      {!found && error && !isTyping && (
        <Button
          kind="quiet"
          isBusy={isFetching}
          onClick={() => {
            onRetry(); // The button disappears once there is an answer.
            void refetch();
          }}
        >
          <Trans>Try again</Trans>
        </Button>
      )}
    </>
  );
}
