// The types of the texts that each language provides for a message.
import type { MailContents, MailKind } from '../message.ts';

export interface MailWords {
  readonly subject: string;
  /** Paragraphs before the button. */
  readonly paragraphs: readonly string[];
  readonly list?: readonly string[];
  readonly button: { readonly label: string; readonly url: string };
  /** A paragraph after the button, in small type. */
  readonly note?: string;
  /** A link after the note, in small type, that ends messages of this kind. */
  readonly unsubscribe?: { readonly label: string; readonly url: string };
}

/** The name of the service and the formatters, which a template may use in addition to its values. */
export interface TemplateContext {
  readonly service: string;
  /** Writes a time with its time zone, in the language of the message. */
  readonly formatTime: (iso: string) => string;
  readonly formatDate: (iso: string) => string;
}

export type Templates = {
  readonly [Kind in MailKind]: (values: MailContents[Kind], context: TemplateContext) => MailWords;
};
