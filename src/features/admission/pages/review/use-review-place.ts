import { useRef, useState } from 'react';
import { provenBy } from '#features/admission-form/contract/document.ts';
import type { ReviewRecord } from '../../contract/review.ts';
import type { AskedAnswer, ShownFile } from './deciding.tsx';
import { itemsOf } from './items.ts';

export type ReviewPlace = ReturnType<typeof useReviewPlace>;

/** Where the reviewer is in a form: the item that has the focus, the file in the viewer, and what words are written for. */
export function useReviewPlace(record: ReviewRecord) {
  const area = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<ShownFile>();
  const [asked, setAsked] = useState<AskedAnswer>();
  const [isPanelOpen, setPanelOpen] = useState(false);
  const items = itemsOf(record);
  const itemOf = (key: string) => items.find((item) => item.key === key);

  const show = (file: ShownFile) => {
    setShown(file);
    setPanelOpen(true);
  };
  const showProof = (field: string) => {
    const proof = record.documents.find(({ name }) => name === provenBy.get(field));
    if (proof) setShown({ kind: 'document', id: proof.id });
  };
  const focusItem = (key: string | undefined) => {
    const place = key && area.current?.querySelector<HTMLElement>(`[data-review="${key}"]`);
    if (!place) return;
    focusOn(place.querySelector<HTMLElement>('[data-main]:not(:disabled)') ?? place);
    const item = itemOf(key);
    if (item?.kind === 'document') setShown({ kind: 'document', id: item.document.id });
  };
  const focusAnswer = ({ key, field }: AskedAnswer) => {
    const section = area.current?.querySelector<HTMLElement>(`[data-review="${key}"]`);
    focusOn(section?.querySelector<HTMLElement>(`[data-answer="${field}"]`) ?? section);
  };
  const stopAsking = () => {
    if (asked) focusAnswer(asked);
    setAsked(undefined);
  };
  return {
    area,
    items,
    itemOf,
    focusItem,
    shown,
    show,
    showProof,
    asked,
    setAsked,
    stopAsking,
    isPanelOpen,
    setPanelOpen,
  };
}

function focusOn(place: HTMLElement | null | undefined) {
  if (!place) return;
  place.focus({ preventScroll: true });
  place.scrollIntoView?.({ block: 'nearest' });
}

/** Moves the focus to the answer before or after `at` in its section, if there is one. */
export function nextAnswer(section: HTMLElement | null, at: Element, step: 1 | -1) {
  const answers = [...(section?.querySelectorAll<HTMLElement>('[data-answer]') ?? [])];
  const place = answers.indexOf(at.closest('[data-answer]') as HTMLElement) + step;
  const target = place === -1 ? section : answers[place];
  return answers.length > 0 && target ? () => focusOn(target) : undefined;
}
