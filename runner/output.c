// SPDX-License-Identifier: GPL-2.0-or-later
/* output.c - writing the results as CSV (RFC 4180) or JSON. */
#include "runner/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void failed(struct output *output, const char *what)
{
	struct error error;

	if (output->failed)
		return;
	output->failed = true;
	error_set(&error, "%s %s: %s; %s", what, output->path, strerror(errno),
		  output->beside ? "what it would tell is lost"
				 : "the table below is all there is");
	fprintf(stderr, "runtest: %s\n", error.text);
}

static void new_name(struct output *output, const struct config *config)
{
	char stamp[32];
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &utc);
	mkdir("results", 0777);
	for (unsigned int n = 1; n < 1000; n++) {
		char suffix[8] = "";

		if (n > 1)
			snprintf(suffix, sizeof(suffix), "-%u", n);
		snprintf(output->path, sizeof(output->path), "results/%.60s%s-%s%s.%s",
			 config->words.item[0], config->words.count > 1 ? "-etc" : "", stamp,
			 suffix, output->format == FORMAT_JSON ? "json" : "csv");
		if (access(output->path, F_OK) != 0)
			return;
	}
}

static void open_path(struct output *output)
{
	output->file = strcmp(output->path, "-") == 0 ? stdout : fopen(output->path, "w");
	output->failed = false;
	if (!output->file)
		failed(output, "cannot write");
}

void output_open_beside(struct output *output, const struct output *rows, const char *suffix)
{
	const char *dot = strrchr(rows->path, '.');
	size_t length = strlen(rows->path);

	for (unsigned int format = 0; format < FORMATS; format++)
		if (dot && strcmp(dot + 1, format_names[format]) == 0)
			length = (size_t)(dot - rows->path);
	snprintf(output->path, sizeof(output->path), "%.*s%s", (int)length, rows->path, suffix);
	output->beside = true;
	open_path(output);
}

void output_open(struct output *output, const struct config *config)
{
	*output = (struct output){ .format = config->format };
	if (config->output)
		snprintf(output->path, sizeof(output->path), "%s", config->output);
	else
		new_name(output, config);
	open_path(output);
	if (output->format == FORMAT_JSON && !output->failed)
		fprintf(output->file, "{\"header\":{");
}

void output_append(struct output *output, const struct config *config, long keep_bytes)
{
	*output = (struct output){ .format = config->format, .good_bytes = keep_bytes };
	snprintf(output->path, sizeof(output->path), "%s", config->resume);
	output->file = fopen(output->path, "r+");
	if (!output->file || ftruncate(fileno(output->file), keep_bytes) != 0 ||
	    fseek(output->file, 0, SEEK_END) != 0)
		failed(output, "cannot write to");
}

void output_json_text(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(file, "\\%c", *text);
		else if ((unsigned char)*text < ' ')
			fprintf(file, "\\u%04x", *text);
		else
			fputc(*text, file);
	}
	fputc('"', file);
}

void output_csv_text(FILE *file, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, file);
		return;
	}
	fputc('"', file);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', file);
		fputc(*text, file);
	}
	fputc('"', file);
}

void output_header(struct output *output, const char *key, const char *value)
{
	if (output->failed || output->format == FORMAT_WIS)
		return;
	if (output->format == FORMAT_CSV) {
		fprintf(output->file, "# %s: %s\n", key, value);
		return;
	}
	/* Keys may come more than once (warning), which JSON objects do not like: number them. */
	fprintf(output->file, "%s\n", output->rows ? "," : "");
	output->rows++;
	fprintf(output->file, "  \"%s_%u\":", key, output->rows);
	output_json_text(output->file, value);
}

void output_flush(struct output *output)
{
	if (fflush(output->file) == 0) {
		output->good_bytes = ftell(output->file);
		return;
	}
	failed(output, "cannot write to");
	if (output->good_bytes > 0 && ftruncate(fileno(output->file), output->good_bytes) != 0)
		failed(output, "cannot shorten");
}

void output_begin(struct output *output)
{
	if (output->failed)
		return;
	output->rows = 0;
	if (output->format == FORMAT_JSON) {
		fprintf(output->file, "\n},\n\"rows\":[");
	} else if (output->format == FORMAT_WIS) {
		wis_rows_begin(output->file);
	} else {
		for (const struct column *column = columns; column->name; column++)
			fprintf(output->file, "%s%s", column == columns ? "" : ",", column->name);
		fputc('\n', output->file);
	}
	output_flush(output);
}

void output_row(struct output *output, const struct row *row)
{
	char text[ROW_VALUE];

	if (output->failed)
		return;
	if (output->format == FORMAT_WIS) {
		wis_rows_add(&output->wis, row, output->file);
		output_flush(output);
		return;
	}
	if (output->format == FORMAT_JSON)
		fprintf(output->file, "%s\n {", output->rows ? "," : "");
	for (const struct column *column = columns; column->name; column++) {
		const char *comma = column == columns ? "" : ",";

		column->write(row, text, sizeof(text));
		if (output->format == FORMAT_CSV) {
			fputs(comma, output->file);
			output_csv_text(output->file, text);
			continue;
		}
		fprintf(output->file, "%s\"%s\":", comma, column->name);
		if (column->is_number)
			fputs(text[0] ? text : "null", output->file);
		else
			output_json_text(output->file, text);
	}
	fputs(output->format == FORMAT_JSON ? "}" : "\n", output->file);
	output->rows++;
	output_flush(output);
}

int output_close(struct output *output)
{
	if (!output->file)
		return -1;
	if (output->format == FORMAT_JSON && !output->failed) {
		fprintf(output->file, "\n]}\n");
		output_flush(output);
	}
	if (output->format == FORMAT_WIS && !output->failed) {
		wis_rows_end(&output->wis, output->file);
		output_flush(output);
	}
	if (output->file != stdout && fclose(output->file) != 0)
		failed(output, "cannot write to");
	return output->failed ? -1 : 0;
}
