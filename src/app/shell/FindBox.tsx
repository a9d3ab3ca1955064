import { Trans, useLingui } from '@lingui/react/macro';
import { Combobox, useCombobox } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { translate } from '#kit/browser/text.ts';
import type { SearchedPage } from '../pages.ts';
import { addressOf } from './address.ts';
import styles from './FindBox.module.css';

const most = 8;

/** Finds a page or a tab by its title or its menu group. Ctrl-K moves the focus here from anywhere. */
export function FindBox({ pages }: { pages: readonly SearchedPage[] }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const box = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const combobox = useCombobox();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      box.current?.focus();
      box.current?.select();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  const choices = pages.map(({ page, tab, group }) => ({
    to: addressOf(page),
    tab: tab?.key,
    group: group ? translate(group) : '',
    title: translate((tab ?? page).title),
  }));
  const wanted = words.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const isIn = (words: string) => wanted.every((word) => words.toLowerCase().includes(word));
  const found = choices
    .filter(({ group, title }) => isIn(`${group} ${title}`))
    .sort((one, other) => Number(isIn(other.title)) - Number(isIn(one.title)))
    .slice(0, most);
  const close = () => {
    setWords('');
    combobox.closeDropdown();
  };
  const go = (index: string) => {
    const choice = found[Number(index)];
    close();
    box.current?.blur();
    if (choice) void navigate({ to: choice.to, search: choice.tab ? { tab: choice.tab } : {} });
  };
  // Enter opens the first hit.
  useEffect(() => {
    if (words.trim() === '') combobox.resetSelectedOption();
    else combobox.selectFirstOption();
  }, [words, combobox.resetSelectedOption, combobox.selectFirstOption]);
  return (
    <div className={styles.find}>
      <Combobox store={combobox} onOptionSubmit={go} withinPortal={false}>
        <Combobox.DropdownTarget>
          <div className={styles.box}>
            <IconSearch size={16} aria-hidden />
            <Combobox.EventsTarget>
              <input
                ref={box}
                type="text"
                aria-label={t`Search pages`}
                placeholder={t`Search pages`}
                value={words}
                onChange={(event) => {
                  setWords(event.currentTarget.value);
                  combobox.openDropdown();
                }}
                onKeyDown={(event) => {
                  if (event.key === 'Escape') close();
                }}
                onBlur={close}
              />
            </Combobox.EventsTarget>
            <kbd aria-hidden>Ctrl K</kbd>
          </div>
        </Combobox.DropdownTarget>
        <Combobox.Dropdown>
          <Combobox.Options aria-label={t`Pages`}>
            {found.map(({ to, tab, group, title }, index) => (
              <Combobox.Option key={`${to} ${tab}`} value={String(index)} className={styles.option}>
                <span>{title}</span> {group && group !== title && <span className={styles.group}>{group}</span>}
              </Combobox.Option>
            ))}
            {found.length === 0 && (
              <Combobox.Empty>
                <Trans>No entries match.</Trans>
              </Combobox.Empty>
            )}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
    </div>
  );
}
