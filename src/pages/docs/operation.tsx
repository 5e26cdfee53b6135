import type { VNode } from 'preact';
import {
  type Content as ContentData,
  type Operation as OperationData,
  type Parameter,
  resolve,
} from './document.js';
import { Code, Markdown, Member, Type } from './schema.js';

export interface OperationProps {
  method: string;
  /** The path; undefined for a webhook, whose address is the subscriber's. */
  path?: string;
  operation: OperationData;
}

export function Operation({ method, path = '', operation }: OperationProps): VNode {
  const { operationId, summary, description, requestBody, responses } = operation;
  const parameters = (operation.parameters ?? []).map((each) => resolve(each) as Parameter);
  return (
    <section class="operation" aria-labelledby={operationId}>
      <h3 id={operationId}>{summary}</h3>
      <p>
        <code>
          {method.toUpperCase()} {path}
        </code>
      </p>
      {description !== undefined && <Markdown text={description} />}
      {parameters.length > 0 && (
        <>
          <h4>Parameters</h4>
          <dl class="members">
            {parameters.map(({ name, in: place, required = false, schema, description: text }) => (
              <Member
                key={name}
                name={name}
                isRequired={required}
                schema={schema}
                description={text}
              >
                , {place === 'query' ? 'in the query' : `in the ${place}`}
              </Member>
            ))}
          </dl>
        </>
      )}
      {requestBody !== undefined && (
        <>
          <h4>Body</h4>
          <Content content={requestBody.content} />
        </>
      )}
      <h4>Answers</h4>
      <dl class="members">
        {Object.entries(responses).map(([status, response]) => {
          const { description: text = '', content, headers } = resolve(response);
          return (
            <div key={status}>
              <dt>
                <code>{status}</code>
              </dt>
              <dd>
                <Markdown text={text} />
                <Content content={content} />
                {headers !== undefined && status < '300' && (
                  <p class="fine">
                    With{' '}
                    {Object.keys(headers).map((name, index) => (
                      <>
                        {index > 0 && ', '}
                        <code>{name}</code>
                      </>
                    ))}
                  </p>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

function Content({ content = {} }: ContentData): VNode {
  return (
    <>
      {Object.entries(content).map(([type, { schema, example }]) => (
        <>
          <p>
            <code>{type}</code>
            {schema !== undefined && (
              <>
                : <Type schema={schema} />
              </>
            )}
          </p>
          {example !== undefined && (
            <details>
              <summary>Example</summary>
              <Code
                text={typeof example === 'string' ? example : JSON.stringify(example, null, 2)}
              />
            </details>
          )}
        </>
      ))}
    </>
  );
}
