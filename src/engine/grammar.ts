/**
 * The program language on one page: what stands in the description of `plasm`, at `GET /v1/grammar` and in
 * `plasmid help language`, byte for byte the same.
 */
export const GRAMMAR = `A program is lines; \`;;\` starts a comment. Each line binds \`x = EXPR\`; the last line lists what to return: \`x, y\`.
e1                       rows of an entity     e1{state="open", p>=3}   with conditions (= != < > <= >= ~)
e1("id")  e1(k="a")      one by its key        e1~"words"               search
x.relation  x.field      follow                .^e2                     rows of e2 that point at x
x.m3(a=1, b=x.id)        call a capability     x => e2(_.id).m4(a=_.t)  once for each row, \`_\` is the row
x[a, b.c]  .limit(5)  .sort(a, desc)  .singleton()  .page_size(50)
.aggregate(n=count, t=sum(a))  .group_by(a, n=count)          sum avg min max count
page(s0_pg1)             more rows of a result
x <<T … T                text from rows by a Minijinja template; a heredoc is also a long string
Values: "text", 1.5, true, null, [1, 2], {k: v}, bare words, x.path, _.path, "with \${x.path}".
A write runs only with the plan that \`plasm\` made of it.`
